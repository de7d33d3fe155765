#include <stdio.h>
#include <weft/weft.h>

#include "double.comp.spv.h"

int main(void)
{
    const uint32_t spirv_magic = 0x07230203;
    if (double_comp[0] != spirv_magic) {
        puts("outside: the embedded shader is not SPIR-V");
        return 1;
    }
    printf("outside: %zu bytes of SPIR-V\n", sizeof double_comp);
    return 0;
}
