/// Bytecode and its side tables: what the compiler makes and the run files read. Nothing in a
/// program changes after its creation.
///
/// Registers: rows (64 lanes of 32 bits) and words (one value for all lanes). The first words are
/// struct wf_sw_context's group id and count, then the program's constants; the first rows are the
/// inputs, then the outputs.
///
/// Control flow: each block stands at one place in the code. A terminator keeps the lanes that go
/// on to the next block in `exec` and adds the others to the mask of the block that they go to,
/// where JOIN picks them up; a block without lanes is skipped. So lanes meet again where the code
/// does, in any control flow graph, without a stack.
#ifndef WF_SW_PROGRAM_H
#define WF_SW_PROGRAM_H

#include "backends/software/exec/exec.h"
#include "base/alloc.h"

/// Simple operations have a form for each pattern of rows (V) and words (S).
enum wf_sw_op {
#define WF_SW_LABEL(name) WF_SW_OP_##name,
#include "backends/software/exec/labels.def"
#undef WF_SW_LABEL
    WF_SW_OP_COUNT,
};

struct wf_sw_code {
    uint16_t op; ///< enum wf_sw_op
    uint16_t d, a, b, c;
    uint16_t unused;
    uint32_t x;
};

/// An operand of a side table: kind in the top bits, slot below.
#define WF_SW_OPERAND_NONE 0u
#define WF_SW_OPERAND_WORD 0x40000000u
#define WF_SW_OPERAND_ROW  0x80000000u
#define WF_SW_OPERAND_KIND 0xc0000000u
#define WF_SW_OPERAND_SLOT 0x0000ffffu

/// Where a result goes that nobody needs.
#define WF_SW_NO_SLOT 0xffffu

enum wf_sw_space {
    WF_SW_SPACE_BUFFER,
    WF_SW_SPACE_ROOT,
    WF_SW_SPACE_SHARED,
    WF_SW_SPACE_POINTER,
    WF_SW_SPACE_CHOSEN, ///< `high` is a WF_SW_CHOSEN and says where, `low` is the offset.
};

/// Where a pointer that is chosen at run time leads: a use and the element of its binding, shared
/// memory, or nowhere, as one that was never set.
#define WF_SW_CHOSEN(use, desc) (((uint32_t)(use) + 1) << 16 | (desc))
#define WF_SW_CHOSEN_SHARED     0xffff0000u
#define WF_SW_CHOSEN_NULL       0u

enum wf_sw_width {
    WF_SW_WIDTH_32,
    WF_SW_WIDTH_U16, ///< Extended with zeros.
    WF_SW_WIDTH_U8,
    WF_SW_WIDTH_HALF, ///< To and from float.
    WF_SW_WIDTH_64,   ///< Atomics: two rows, low and high.
};

/// A load, store or atomic of `count` components that lie side by side.
struct wf_sw_mem {
    uint8_t space;                 ///< enum wf_sw_space
    uint8_t width;                 ///< enum wf_sw_width
    uint8_t atomic;                ///< enum wf_sw_atomic of image.h
    uint8_t count;                 ///< 1 to 16
    uint16_t use;                  ///< Buffer: index in the program's uses.
    uint32_t desc;                 ///< Operand: element of the binding.
    uint32_t offset;               ///< Operand: bytes.
    uint32_t low, high;            ///< Operands: the address.
    uint32_t at;                   ///< Bytes added to offset and address.
    uint32_t rows;                 ///< In aux: slots of results (load, atomic), of values (store).
    uint32_t value[2], compare[2]; ///< Operands of an atomic, low and high.
};

/// A variable that is indexed with values: rows of its own.
struct wf_sw_scratch {
    uint32_t first; ///< Row.
    uint32_t count;
};

enum wf_sw_image_kind {
    WF_SW_IMAGE_SAMPLE,
    WF_SW_IMAGE_FETCH,
    WF_SW_IMAGE_READ,
    WF_SW_IMAGE_WRITE,
    WF_SW_IMAGE_ATOMIC,
    WF_SW_IMAGE_SIZE,
    WF_SW_IMAGE_LEVELS,
    WF_SW_IMAGE_SAMPLES,
    WF_SW_IMAGE_QUERY_LOD,
};

/// Places of operands in an image record.
enum wf_sw_image_operand {
    WF_SW_IMAGE_COORD,                        ///< Four.
    WF_SW_IMAGE_LOD = WF_SW_IMAGE_COORD + 4,  ///< Level or bias.
    WF_SW_IMAGE_DDX,                          ///< Three.
    WF_SW_IMAGE_DDY = WF_SW_IMAGE_DDX + 3,    ///< Three.
    WF_SW_IMAGE_OFFSET = WF_SW_IMAGE_DDY + 3, ///< Three.
    WF_SW_IMAGE_DREF = WF_SW_IMAGE_OFFSET + 3,
    WF_SW_IMAGE_LOD_MIN,
    WF_SW_IMAGE_SAMPLE_INDEX,
    WF_SW_IMAGE_TEXEL,                        ///< Four; of an atomic: value, compare.
    WF_SW_IMAGE_DESC = WF_SW_IMAGE_TEXEL + 4, ///< Element of the image's binding.
    WF_SW_IMAGE_SAMPLER_DESC,
    WF_SW_IMAGE_OPERANDS,
};

struct wf_sw_image_op {
    uint8_t kind;   ///< enum wf_sw_image_kind
    uint8_t mode;   ///< enum wf_sw_lod
    uint8_t atomic; ///< enum wf_sw_atomic of image.h
    uint8_t component;
    bool gather, has_offsets;
    uint16_t use, sampler_use;
    int32_t offsets[4][2];
    uint32_t operands[WF_SW_IMAGE_OPERANDS]; ///< NONE or rows; descriptors may be words.
    uint32_t rows;                           ///< In aux: four result slots.
};

/// Words that the context fills before a group or batch runs.
enum wf_sw_system {
    WF_SW_SYSTEM_GROUP,                             ///< Three.
    WF_SW_SYSTEM_GROUPS = WF_SW_SYSTEM_GROUP + 3,   ///< Three.
    WF_SW_SYSTEM_SAMPLES = WF_SW_SYSTEM_GROUPS + 3, ///< Of the target.
    WF_SW_SYSTEM_COUNT,
};

struct wf_sw_program {
    const struct wf_base_allocator *allocator;
    size_t bytes; ///< Of the one block of memory that everything lies in.
    struct wf_sw_program_info info;
    const struct wf_sw_code *code;
    const uint16_t *aux;
    const uint32_t *switches; ///< count, then value, mask, value, mask ...
    const struct wf_sw_mem *mems;
    const struct wf_sw_scratch *scratch;
    const struct wf_sw_image_op *images;
    const uint32_t *constants; ///< Words from WF_SW_SYSTEM_COUNT on.
    const uint32_t *lines;     ///< For each instruction, the word of the module that it came from.
    uint32_t code_count, constant_count;
    uint32_t row_count;  ///< Registers and scratch.
    uint32_t word_count; ///< Uniform registers, padded to a vector.
    uint32_t mask_count;
    uint32_t subgroup_size;
    uint64_t budget;
    uint64_t serial; ///< Differs from that of every other program of this process.
};

#endif
