// Devices that are not as those at hand are: the layer claims things in the driver's name, and
// looks at what the backend makes of them.
#include "faults.h"
#include "run.h"
#include "vulkan.h"

static weft_device *open_as(struct run *run, uint32_t claims)
{
    weft_device *dev;
    const weft_host_hooks hooks = run_hooks(run);
    find_layer();
    keep_instance();
    layer->claims = claims;
    layer->fault = LAYER_FAULT_NONE;
    atomic_store(&layer->lost, false);
    atomic_store(&layer->flushes, 0);
    atomic_store(&layer->illegal, 0);
    EXPECT_EQ(weft_device_start(&(weft_device_desc){.backends = 1u << WEFT_BACKEND_VULKAN,
                                                    .validation = WEFT_VALIDATION_ERRORS,
                                                    .hooks = &hooks},
                                &dev),
              WEFT_OK);
    EXPECT_EQ(weft_device_wait(dev, UINT64_MAX), WEFT_OK);
    return dev;
}

static void close_as(weft_device *dev)
{
    weft_device_destroy(dev);
    layer->claims = 0;
}

/// Whether the newest message is of the rule and names `what`.
static bool told(struct run *run, weft_rule rule, const char *what)
{
    char code[16];
    (void)snprintf(code, sizeof code, "W%04u", rule);
    const bool right = strstr(run->message, code) && strstr(run->message, what);
    if (!right)
        printf("told %s\n", run->message);
    run->message[0] = '\0';
    run->misuses = 0;
    return right;
}

// ---- memory that is flushed --------------------------------------------------------------------

/// Flushes and reads parts of a buffer.
static void use_parts(weft_device *dev, weft_buffer buffer, uint64_t size)
{
    static const uint64_t places[] = {0, 4, 252, 256, 300};
    for (size_t i = 0; i < sizeof places / sizeof *places && places[i] < size; i++) {
        const uint64_t at = places[i], left = size - at, length = left < 8 ? left : 8;
        uint8_t *bytes = weft_buffer_map(dev, buffer, at, length);
        EXPECT(bytes != NULL);
        memset(bytes, (int)i + 1, length);
        EXPECT_EQ(weft_buffer_flush(dev, buffer, at, length), WEFT_OK);
    }
    EXPECT_EQ(weft_buffer_flush(dev, buffer, 0, size), WEFT_OK);
    uint8_t last = 0;
    EXPECT_EQ(weft_buffer_read(dev, buffer, 4, &last, 1), WEFT_OK);
    EXPECT_EQ(last, 2);
}

TEST(vulkan_pretend, flushes_end_with_the_allocation)
{
    struct run run = {0};
    weft_device *dev = open_as(&run, LAYER_CLAIM_INCOHERENT);
    weft_buffer_desc desc = {.size = 300, .memory = WEFT_MEMORY_DEFAULT};
    weft_memory_needs needs;
    EXPECT_EQ(weft_buffer_memory_needs(dev, &desc, &needs), WEFT_OK);
    EXPECT_EQ(needs.alignment % LAYER_ATOM, 0);
    // The block ends with its last buffer, and the allocation inside of an atom.
    const uint64_t at = 4 * needs.alignment;
    const weft_memory_block_desc of = {.size = at + needs.size, .memory = WEFT_MEMORY_DEFAULT};
    weft_memory_block block;
    EXPECT_EQ(weft_memory_block_create(dev, &of, &block), WEFT_OK);
    for (int i = 0; i < 3; i++) {
        weft_buffer buffer;
        desc.place =
            i == 2 ? (weft_placement){0} : (weft_placement){.block = block, .offset = i * at};
        EXPECT_EQ(weft_buffer_create(dev, &desc, &buffer), WEFT_OK);
        use_parts(dev, buffer, desc.size);
        weft_buffer_destroy(dev, buffer);
    }
    // A buffer with an allocation of its own.
    desc = (weft_buffer_desc){.size = (UINT64_C(17) << 20) + 4, .memory = WEFT_MEMORY_DEFAULT};
    weft_buffer large;
    EXPECT_EQ(weft_buffer_create(dev, &desc, &large), WEFT_OK);
    EXPECT_EQ(weft_buffer_flush(dev, large, desc.size - 4, 4), WEFT_OK);
    weft_buffer_destroy(dev, large);
    weft_memory_block_destroy(dev, block);
    EXPECT(atomic_load(&layer->flushes) > 10);
    EXPECT_EQ(atomic_load(&layer->illegal), 0);
    EXPECT_EQ(run.errors, 0);
    close_as(dev);
}

// ---- texel buffers -----------------------------------------------------------------------------

TEST(vulkan_pretend, texel_buffers_have_formats_and_limits_of_their_own)
{
    struct run run = {0};
    weft_device *dev = open_as(&run, LAYER_CLAIM_FEW_TEXELS);
    const weft_capabilities *caps = weft_device_capabilities(dev);
    const weft_format_caps plain = caps->formats[WEFT_FORMAT_RGBA8_UNORM];
    EXPECT(plain & WEFT_FORMAT_CAN_SAMPLE && plain & WEFT_FORMAT_CAN_STORE);
    EXPECT(!(plain & (WEFT_FORMAT_CAN_LOAD_TEXELS | WEFT_FORMAT_CAN_STORE_TEXELS)));
    EXPECT_EQ(caps->limits.max_texel_elements, LAYER_TEXELS);
    EXPECT_EQ(caps->limits.texel_offset_alignment, LAYER_TEXEL_ALIGNMENT);

    weft_argument_layout layout;
    weft_argument argument = {.type = WEFT_ARGUMENT_UNIFORM_TEXELS,
                              .storage = WEFT_FORMAT_RGBA8_UNORM};
    const weft_argument_layout_desc of = {.arguments = &argument, .argument_count = 1};
    EXPECT_EQ(weft_argument_layout_create(dev, &of, &layout), WEFT_ERROR_USAGE);
    EXPECT(told(&run, WEFT_RULE_LAYOUT_STORAGE_FORMAT, "rgba8_unorm"));
    argument.storage = WEFT_FORMAT_R32_UINT;
    argument.sampled = WEFT_SAMPLE_CLASS_UINT;
    EXPECT_EQ(weft_argument_layout_create(dev, &of, &layout), WEFT_OK);

    weft_argument_table table;
    weft_buffer buffer;
    const weft_buffer_desc desc = {.size = (uint64_t)8 * LAYER_TEXELS,
                                   .usage = WEFT_BUFFER_USAGE_TEXEL};
    EXPECT_EQ(weft_buffer_create(dev, &desc, &buffer), WEFT_OK);
    EXPECT_EQ(
        weft_argument_table_create(dev, &(weft_argument_table_desc){.layout = layout}, &table),
        WEFT_OK);
    weft_argument_write write = {.buffer = buffer, .size = (uint64_t)4 * LAYER_TEXELS + 4};
    EXPECT_EQ(weft_argument_table_write(dev, table, &write, 1), WEFT_ERROR_USAGE);
    EXPECT(told(&run, WEFT_RULE_ARGUMENT_RANGE, "max_texel_elements"));
    write =
        (weft_argument_write){.buffer = buffer, .offset = LAYER_TEXEL_ALIGNMENT / 2, .size = 16};
    EXPECT_EQ(weft_argument_table_write(dev, table, &write, 1), WEFT_ERROR_USAGE);
    EXPECT(told(&run, WEFT_RULE_ARGUMENT_OFFSET, "texel_offset_alignment"));
    write = (weft_argument_write){
        .buffer = buffer, .offset = LAYER_TEXEL_ALIGNMENT, .size = (uint64_t)4 * LAYER_TEXELS};
    EXPECT_EQ(weft_argument_table_write(dev, table, &write, 1), WEFT_OK);
    weft_argument_table_destroy(dev, table);
    weft_argument_layout_destroy(dev, layout);
    weft_buffer_destroy(dev, buffer);
    close_as(dev);
}

// ---- memory blocks -----------------------------------------------------------------------------

TEST(vulkan_pretend, without_memory_for_all_there_are_no_blocks)
{
    struct run run = {0};
    weft_device *dev = open_as(&run, LAYER_CLAIM_DEPTH_APART);
    const weft_capabilities *caps = weft_device_capabilities(dev);
    EXPECT(!(caps->features & WEFT_FEATURE_PLACED_RESOURCES));
    weft_memory_block block;
    EXPECT_EQ(weft_memory_block_create(dev, &(weft_memory_block_desc){.size = 4096}, &block),
              WEFT_ERROR_USAGE);
    EXPECT(told(&run, WEFT_RULE_FEATURE_MISSING, "placed_resources"));
    close_as(dev);
}

TEST(vulkan_pretend, what_does_not_suit_a_block_is_refused)
{
    struct run run = {0};
    weft_device *dev = open_as(&run, LAYER_CLAIM_IMAGES_APART);
    weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM, .width = 16, .height = 16};
    weft_memory_needs needs;
    EXPECT_EQ(weft_texture_memory_needs(dev, &desc, &needs), WEFT_OK);
    const weft_memory_block_desc of = {.size = needs.size};
    weft_texture texture;
    EXPECT_EQ(weft_memory_block_create(dev, &of, &desc.place.block), WEFT_OK);
    EXPECT_EQ(weft_texture_create(dev, &desc, &texture), WEFT_ERROR_UNSUPPORTED);
    EXPECT(told(&run, WEFT_RULE_NONE, "this device cannot do it"));
    weft_memory_block_destroy(dev, desc.place.block);
    close_as(dev);
}

static void submit_alias(weft_device *dev, weft_texture after)
{
    weft_command_buffer *cmd;
    uint64_t serial;
    EXPECT_EQ(weft_command_begin(dev, NULL, &cmd), WEFT_OK);
    if (!weft_texture_is_none(after))
        weft_command_alias_barrier(
            cmd, (weft_object){0},
            (weft_object){after.index, after.generation, WEFT_OBJECT_TEXTURE});
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    const weft_submit submit = {.commands = &cmd, .command_count = 1};
    EXPECT_EQ(weft_queue_submit(dev, WEFT_QUEUE_GRAPHICS, &submit, &serial), WEFT_OK);
    EXPECT_EQ(weft_serial_wait(dev, serial, UINT64_MAX), WEFT_OK);
}

/// A change of layout may write: into what another texture holds, unless that is over.
TEST(vulkan_pretend, what_shares_memory_comes_to_life_by_an_alias_barrier)
{
    struct run run = {0};
    weft_device *dev = open_as(&run, 0);
    weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM, .width = 16, .height = 16};
    weft_memory_needs needs;
    EXPECT_EQ(weft_texture_memory_needs(dev, &desc, &needs), WEFT_OK);
    const uint64_t step = (needs.size + needs.alignment - 1) / needs.alignment * needs.alignment;
    EXPECT_EQ(weft_memory_block_create(dev, &(weft_memory_block_desc){.size = 2 * step},
                                       &desc.place.block),
              WEFT_OK);
    weft_texture first, shared, neighbour;
    EXPECT_EQ(weft_texture_create(dev, &desc, &first), WEFT_OK);
    EXPECT_EQ(weft_texture_create(dev, &desc, &shared), WEFT_OK);
    desc.place.offset = step;
    EXPECT_EQ(weft_texture_create(dev, &desc, &neighbour), WEFT_OK);
    atomic_store(&layer->discards, 0);
    submit_alias(dev, (weft_texture){0});
    EXPECT_EQ(atomic_load(&layer->discards), 2); // not the one that shares
    submit_alias(dev, shared);
    EXPECT_EQ(atomic_load(&layer->discards), 3);
    submit_alias(dev, first); // by turns
    EXPECT_EQ(atomic_load(&layer->discards), 4);
    submit_alias(dev, (weft_texture){0});
    EXPECT_EQ(atomic_load(&layer->discards), 4);
    weft_texture_destroy(dev, first);
    weft_texture_destroy(dev, shared);
    weft_texture_destroy(dev, neighbour);
    weft_memory_block_destroy(dev, desc.place.block);
    EXPECT_EQ(run.errors, 0);
    close_as(dev);
}

/// Buffers of one allocation are written by one copy, and each gets what is its own.
TEST(vulkan_pretend, many_buffers_are_written_by_one_copy)
{
    enum { COUNT = 100, SIZE = 68 };
    struct run run = {0};
    weft_device *dev = open_as(&run, 0);
    const weft_buffer_desc desc = {.size = SIZE,
                                   .usage = WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST,
                                   .memory = WEFT_MEMORY_GPU};
    weft_buffer buffers[COUNT];
    uint8_t bytes[SIZE], got[SIZE];
    for (int i = 0; i < COUNT; i++)
        EXPECT_EQ(weft_buffer_create(dev, &desc, &buffers[i]), WEFT_OK);
    atomic_store(&layer->copies, 0);
    for (int i = 0; i < COUNT; i++) {
        memset(bytes, i + 1, sizeof bytes);
        EXPECT_EQ(weft_buffer_write(dev, buffers[i], 0, bytes, SIZE), WEFT_OK);
    }
    EXPECT_EQ(weft_buffer_write(dev, buffers[1], 4, "weft", 4), WEFT_OK); // after what it meets
    submit_alias(dev, (weft_texture){0});
    EXPECT_EQ(atomic_load(&layer->copies), 2);
    for (int i = 0; i < COUNT; i++) {
        memset(bytes, i + 1, sizeof bytes);
        if (i == 1)
            memcpy(bytes + 4, "weft", 4);
        EXPECT_EQ(weft_buffer_read(dev, buffers[i], 0, got, SIZE), WEFT_OK);
        EXPECT(memcmp(bytes, got, SIZE) == 0);
        weft_buffer_destroy(dev, buffers[i]);
    }
    EXPECT_EQ(run.errors, 0);
    close_as(dev);
}

// ---- pipelines ---------------------------------------------------------------------------------

TEST(vulkan_pretend, a_variant_that_the_driver_refuses_is_no_lack_of_memory)
{
    struct run run = {0};
    weft_device *dev = open_as(&run, LAYER_CLAIM_ONE_PIPELINE);
    struct scene scene = {.dev = dev};
    scene_variants(&scene);
    EXPECT_EQ(scene.result, WEFT_ERROR_SHADER);
    EXPECT(told(&run, WEFT_RULE_NONE, "the driver does not take the shader"));
    close_as(dev);
}
