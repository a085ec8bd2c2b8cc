/* A command line for dxcompiler.dll, which has no program: dxc.exe OUTPUT SOURCE ARGUMENT... The
 * interfaces are the parts of DXC's dxcapi.h that the program uses.
 * SPDX-License-Identifier: MIT */
#include <initguid.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <stdio.h>

DEFINE_GUID(COMPILER, 0x73e22d93, 0xe6ce, 0x47f3, 0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0);
DEFINE_GUID(UTILS, 0x6245d6af, 0x66e0, 0x48fd, 0x80, 0xb4, 0x4d, 0x27, 0x17, 0x96, 0x74, 0x8c);
DEFINE_GUID(ICOMPILER, 0x228b4687, 0x5a6a, 0x4730, 0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54);
DEFINE_GUID(IUTILS, 0x4605c4cb, 0x2019, 0x492a, 0xad, 0xa4, 0x65, 0xf2, 0x0b, 0xb7, 0xd6, 0x7f);
DEFINE_GUID(IRESULT, 0x58346cda, 0xdde7, 0x4497, 0x94, 0x61, 0x6f, 0x87, 0xaf, 0x5e, 0x06, 0x59);

typedef void (*Unused)(void);
typedef struct Blob {
    const struct {
        Unused unknown[3];
        void *(WINAPI *pointer)(struct Blob *);
        SIZE_T(WINAPI *size)(struct Blob *);
    } * calls;
} Blob;
typedef struct Result {
    const struct {
        Unused unknown[3];
        HRESULT(WINAPI *status)(struct Result *, HRESULT *);
        HRESULT(WINAPI *result)(struct Result *, Blob **);
        HRESULT(WINAPI *errors)(struct Result *, Blob **);
    } * calls;
} Result;
typedef struct Utils {
    const struct {
        Unused unknown[3], others[4];
        HRESULT(WINAPI *load)(struct Utils *, const WCHAR *, const UINT32 *, Blob **);
        Unused stream;
        HRESULT(WINAPI *includes)(struct Utils *, void **);
    } * calls;
} Utils;
typedef struct Buffer {
    const void *text;
    SIZE_T size;
    UINT encoding; /* 0: detect */
} Buffer;
typedef struct Compiler {
    const struct {
        Unused unknown[3];
        HRESULT(WINAPI *compile)
        (struct Compiler *, const Buffer *, const WCHAR **, UINT32, void *, const GUID *, void **);
    } * calls;
} Compiler;
typedef HRESULT(WINAPI *Create)(const GUID *what, const GUID *wanted, void **object);

static int failed(const char *what) {
    (void)fprintf(stderr, "dxc: %s\n", what);
    return 1;
}

int wmain(int count, WCHAR **words) {
    const HMODULE library = LoadLibraryA("dxcompiler.dll");
    const Create create = library ? (Create)(void *)GetProcAddress(library, "DxcCreateInstance")
                                  : NULL;
    Utils *utils;
    Compiler *compiler;
    void *includes;
    Blob *source, *errors, *code;
    Result *result;
    HRESULT status;
    if (count < 3 || !create || FAILED(create(&UTILS, &IUTILS, (void **)&utils)) ||
        FAILED(create(&COMPILER, &ICOMPILER, (void **)&compiler)) ||
        FAILED(utils->calls->includes(utils, &includes))) {
        return failed("no dxcompiler.dll, or no source");
    }
    if (FAILED(utils->calls->load(utils, words[2], NULL, &source))) {
        return failed("no such source");
    }
    const Buffer text = {source->calls->pointer(source), source->calls->size(source), 0};
    if (FAILED(compiler->calls->compile(compiler, &text, (const WCHAR **)words + 2,
                                        (UINT32)count - 2, includes, &IRESULT, (void **)&result))) {
        return failed("it does not compile at all");
    }
    if (SUCCEEDED(result->calls->errors(result, &errors)) && errors) {
        (void)fwrite(errors->calls->pointer(errors), 1, errors->calls->size(errors), stderr);
    }
    if (FAILED(result->calls->status(result, &status)) || FAILED(status) ||
        FAILED(result->calls->result(result, &code))) {
        return failed("errors");
    }
    FILE *file = _wfopen(words[1], L"wb");
    if (!file ||
        fwrite(code->calls->pointer(code), 1, code->calls->size(code), file) !=
            code->calls->size(code) ||
        fclose(file) != 0) {
        return failed("cannot write");
    }
    return 0;
}
