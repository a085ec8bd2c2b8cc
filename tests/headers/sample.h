/* Input of the scan of declarations, which must print each name with file scope in this file.
 * SPDX-License-Identifier: MIT */
#include <stdint.h>
typedef struct one_tag one_type;
struct two_tag {
    int member;
    struct {
        int inner;
    } nested;
};
typedef struct three_tag {
    const void *pNext;
    uint32_t array[4];
} three_type;
enum four_tag { five_enumerator = 3, six_enumerator = (1 << 2), seven_enumerator };
typedef enum { eight_enumerator } nine_type;
typedef void (*ten_type)(void *user, const char *message);
typedef struct eleven_tag *eleven_type;
extern int twelve_variable, *thirteen_variable;
static const int fourteen_variable[2] = {1, 2};
int fifteen_function(int parameter, void (*callback)(int));
__attribute__((visibility("default"))) const char *sixteen_function(void);
static inline uint32_t seventeen_function(uint32_t parameter) {
    uint32_t local = parameter;
    for (int i = 0; i < 3; ++i) {
        local += 1;
    }
    return local;
}
_Static_assert(sizeof(int) == 4, "nothing is declared here");
typedef uint32_t eighteen_type;
#define NINETEEN_MACRO 19
void twenty_function(void *parameter, int (*callback)(int));
