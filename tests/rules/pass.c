#include "support/record.h"

/// Begins a pass that breaks exactly one rule.
static void refused(struct fixture *f, const weft_render_pass_desc *desc, weft_rule rule)
{
    weft_command_buffer *cmd = record_begin(f);
    weft_render_encoder *enc = weft_command_begin_render(cmd, desc);
    weft_render_set_stencil_reference(enc, 1000); // swallowed
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
}

/// A texture with a view of all of it.
struct attachment {
    weft_texture texture;
    weft_texture_view view;
};

static struct attachment attachment(struct fixture *f, weft_format format, weft_texture_usage usage,
                                    uint32_t samples)
{
    struct attachment a = {record_texture(f, format, usage, samples), {0}};
    a.view = record_view(f, a.texture);
    return a;
}

static void attachment_destroy(struct fixture *f, struct attachment *a)
{
    weft_texture_view_destroy(f->dev, a->view);
    weft_texture_destroy(f->dev, a->texture);
}

static weft_render_pass_desc with_color(weft_texture_view view)
{
    return (weft_render_pass_desc){.colors[0] = {.view = view, .load = WEFT_LOAD_CLEAR}};
}

static weft_render_pass_desc with_depth(weft_texture_view view)
{
    return (weft_render_pass_desc){
        .depth_stencil = view,
        .depth_load = WEFT_LOAD_CLEAR,
        .stencil_load = WEFT_LOAD_CLEAR,
    };
}

TEST(pass_rules, a_pass_draws_to_something)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct attachment color = attachment(&f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_RENDER, 1);
    weft_render_pass_desc desc = {0};
    refused(&f, &desc, WEFT_RULE_PASS_EMPTY);
    desc = (weft_render_pass_desc){.width = 1u << 20, .height = 4};
    refused(&f, &desc, WEFT_RULE_PASS_EMPTY);
    desc = (weft_render_pass_desc){.width = 4, .height = 4, .samples = 5};
    refused(&f, &desc, WEFT_RULE_PASS_SAMPLES);
    desc = with_color(color.view);
    desc.width = 4;
    refused(&f, &desc, WEFT_RULE_PASS_SIZE_GIVEN);
    desc = with_color(color.view);
    desc.colors[0].load = WEFT_LOAD_UNSPECIFIED;
    refused(&f, &desc, WEFT_RULE_PASS_LOAD);
    desc.colors[0].load = (weft_load)9;
    refused(&f, &desc, WEFT_RULE_ENUM_UNKNOWN);
    desc = with_color(color.view);
    desc.read_only = WEFT_ASPECT_COLOR;
    refused(&f, &desc, WEFT_RULE_BITS_UNKNOWN);
    attachment_destroy(&f, &color);
    desc = with_color(color.view);
    refused(&f, &desc, WEFT_RULE_HANDLE_STALE);
    fixture_close(&f);
}

TEST(pass_rules, attachments_fit)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct attachment color = attachment(&f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_RENDER, 1);
    struct attachment sampled =
        attachment(&f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_SAMPLED, 1);
    weft_render_pass_desc desc = with_color(sampled.view);
    refused(&f, &desc, WEFT_RULE_PASS_USAGE);
    desc = with_depth(color.view);
    refused(&f, &desc, WEFT_RULE_PASS_FORMAT);
    struct attachment depth =
        attachment(&f, WEFT_FORMAT_D24_UNORM_S8_UINT, WEFT_TEXTURE_USAGE_RENDER, 1);
    desc = with_color(depth.view);
    refused(&f, &desc, WEFT_RULE_PASS_FORMAT);
    struct attachment many = attachment(&f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_RENDER, 4);
    desc = with_color(color.view);
    desc.colors[1] = (weft_color_attachment){.view = many.view, .load = WEFT_LOAD_CLEAR};
    refused(&f, &desc, WEFT_RULE_PASS_SAMPLES);
    desc.colors[1].view = color.view;
    refused(&f, &desc, WEFT_RULE_PASS_TWICE);

    weft_texture layered, small;
    weft_texture_desc d = {.format = WEFT_FORMAT_RGBA8_UNORM,
                           .width = RECORD_WIDTH,
                           .height = RECORD_HEIGHT,
                           .layers = 2,
                           .mips = 2,
                           .usage = WEFT_TEXTURE_USAGE_RENDER};
    EXPECT_EQ(weft_texture_create(f.dev, &d, &layered), WEFT_OK);
    weft_texture_view two = record_view(&f, layered);
    desc = with_color(two);
    refused(&f, &desc, WEFT_RULE_PASS_VIEW);
    weft_texture_view both;
    EXPECT_EQ(weft_texture_view_create(
                  f.dev, &(weft_texture_view_desc){.texture = layered, .mip_count = 1}, &both),
              WEFT_OK);
    desc = with_color(both);
    desc.colors[1] = (weft_color_attachment){.view = color.view, .load = WEFT_LOAD_CLEAR};
    refused(&f, &desc, WEFT_RULE_PASS_LAYERS);
    weft_texture_view_destroy(f.dev, both);
    d.layers = d.mips = 1;
    d.width = 16;
    EXPECT_EQ(weft_texture_create(f.dev, &d, &small), WEFT_OK);
    weft_texture_view narrow = record_view(&f, small);
    desc = with_color(color.view);
    desc.colors[1] = (weft_color_attachment){.view = narrow, .load = WEFT_LOAD_CLEAR};
    refused(&f, &desc, WEFT_RULE_PASS_SIZE);

    weft_texture_view_destroy(f.dev, two);
    weft_texture_view_destroy(f.dev, narrow);
    weft_texture_destroy(f.dev, layered);
    weft_texture_destroy(f.dev, small);
    attachment_destroy(&f, &color);
    attachment_destroy(&f, &sampled);
    attachment_destroy(&f, &depth);
    attachment_destroy(&f, &many);
    fixture_close(&f);
}

TEST(pass_rules, depth_and_stencil_fit)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct attachment depth =
        attachment(&f, WEFT_FORMAT_D24_UNORM_S8_UINT, WEFT_TEXTURE_USAGE_RENDER, 1);
    weft_render_pass_desc desc = with_depth(depth.view);
    desc.clear_depth = 2.0f;
    refused(&f, &desc, WEFT_RULE_PASS_CLEAR);
    desc = with_depth(depth.view);
    desc.clear_stencil = 256;
    refused(&f, &desc, WEFT_RULE_PASS_CLEAR);
    desc = with_depth(depth.view);
    desc.read_only = WEFT_ASPECT_DEPTH;
    refused(&f, &desc, WEFT_RULE_PASS_READ_ONLY);
    desc.depth_load = WEFT_LOAD_LOAD;
    desc.depth_store = WEFT_STORE_DISCARD;
    refused(&f, &desc, WEFT_RULE_PASS_READ_ONLY);
    attachment_destroy(&f, &depth);

    struct attachment tile = attachment(
        &f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_TRANSIENT, 1);
    desc = with_color(tile.view);
    refused(&f, &desc, WEFT_RULE_PASS_TRANSIENT);
    attachment_destroy(&f, &tile);
    fixture_close(&f);
}

TEST(pass_rules, resolving_fits)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct attachment color = attachment(&f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_RENDER, 1);
    struct attachment other = attachment(&f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_RENDER, 1);
    struct attachment many = attachment(&f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_RENDER, 4);
    struct attachment half = attachment(&f, WEFT_FORMAT_RGBA16_FLOAT, WEFT_TEXTURE_USAGE_RENDER, 1);
    weft_render_pass_desc desc = with_color(color.view);
    desc.colors[0].resolve = other.view;
    refused(&f, &desc, WEFT_RULE_PASS_RESOLVE);
    desc = with_color(many.view);
    desc.colors[0].resolve = half.view;
    refused(&f, &desc, WEFT_RULE_PASS_RESOLVE);
    desc = with_color(color.view);
    desc.colors[1].resolve = other.view;
    refused(&f, &desc, WEFT_RULE_PASS_RESOLVE);
    attachment_destroy(&f, &color);
    attachment_destroy(&f, &other);
    attachment_destroy(&f, &many);
    attachment_destroy(&f, &half);
    fixture_close(&f);
}
