// The missing-barrier check from inside: against an oracle that compares every access with every
// other one, byte by byte; and between queues, which no backend of today has several of.
#include "core/watch_state.h"

#include "support/record.h"

#include "base_random.h"

#include "driven.vert.spv.h"
#include "frame_storage.frag.spv.h"
#include "layer.frag.spv.h"
#include "swdev_heap.comp.spv.h"
#include "swdev_pointer.comp.spv.h"

enum { SIZE = 12, MOST = 400, EVENTS = 3 };

// ---- the oracle --------------------------------------------------------------------------------

/// An access to one byte, and what is ordered after it so far.
struct seen {
    uint32_t byte, queue, row;
    bool write;
    uint64_t position;
    weft_stage_set after[WF_WATCH_QUEUES];
    bool signalled[EVENTS];
};

struct oracle {
    struct seen seen[MOST * SIZE];
    uint32_t count;
};

static bool before(const struct seen *s, uint32_t queue, weft_stage_set producers)
{
    return (s->queue == queue && producers >> s->row & 1) || s->after[queue] & producers;
}

static void oracle_barrier(struct oracle *o, uint32_t queue, weft_stage_set producers,
                           weft_stage_set consumers, uint32_t begin, uint32_t end)
{
    for (uint32_t i = 0; i < o->count; ++i) {
        struct seen *s = &o->seen[i];
        if (s->byte >= begin && s->byte < end && before(s, queue, producers))
            s->after[queue] |= consumers;
    }
}

static void oracle_signal(struct oracle *o, uint32_t queue, weft_stage_set producers,
                          uint32_t event)
{
    for (uint32_t i = 0; i < o->count; ++i)
        o->seen[i].signalled[event] = before(&o->seen[i], queue, producers);
}

static void oracle_wait(struct oracle *o, uint32_t queue, weft_stage_set consumers, uint32_t event)
{
    for (uint32_t i = 0; i < o->count; ++i) {
        if (o->seen[i].signalled[event])
            o->seen[i].after[queue] |= consumers;
    }
}

struct range {
    uint32_t begin, end;
};

/// Whether an access is in order after all others.
static bool oracle_fine(const struct oracle *o, const struct wf_watch_access *a, struct range range)
{
    for (uint32_t i = 0; i < o->count; ++i) {
        const struct seen *s = &o->seen[i];
        const bool meets = s->byte >= range.begin && s->byte < range.end;
        if (meets && (s->write || a->flags & WF_WATCH_WRITE) && !(s->after[a->queue] >> a->row & 1))
            return false;
    }
    return true;
}

static void oracle_access(struct oracle *o, const struct wf_watch_access *a, struct range range)
{
    for (uint32_t b = range.begin; b < range.end; ++b)
        o->seen[o->count++] = (struct seen){.byte = b,
                                            .queue = a->queue,
                                            .row = a->row,
                                            .write = (a->flags & WF_WATCH_WRITE) != 0,
                                            .position = a->position};
}

// ---- programs ----------------------------------------------------------------------------------

struct program {
    struct oracle oracle;
    struct wf_watch_order order;
    struct wf_watch_memory memory;
    struct wf_watch_segments bytes;
    struct wf_watch_boxes boxes;
    struct wf_watch_reach events[EVENTS];
    uint64_t position;
    uint32_t queues;
    bool fences, texture;
    uint32_t hazards;
    uint64_t random;
};

static void on_hazard(void *user, const struct wf_watch_clash *clash)
{
    (void)clash;
    ++((struct program *)user)->hazards;
}

static void on_ordered(void *user, const struct wf_watch_access *first,
                       const struct wf_watch_access *then)
{
    (void)user, (void)first, (void)then;
}

static uint32_t pick(struct program *p, uint32_t below)
{
    return random_below(&p->random, below);
}

/// Few stages, so that they meet often.
static weft_stage_set stages(struct program *p)
{
    const weft_stage_set all = WEFT_STAGE_COPY | WEFT_STAGE_COMPUTE | WEFT_STAGE_VERTEX_INPUT;
    const weft_stage_set some = (weft_stage_set)pick(p, 1u << WF_WATCH_STAGES) & all;
    return some ? some : all;
}

static struct range range(struct program *p)
{
    const uint32_t begin = pick(p, SIZE);
    return (struct range){begin, begin + 1 + pick(p, SIZE - begin)};
}

static void barrier(struct program *p, uint32_t queue, weft_stage_set from, weft_stage_set to)
{
    const struct wf_watch_reach reach = wf_watch_reach_of(&p->order, queue, from, p->position);
    (void)wf_watch_order_after(&p->order, queue, &reach, wf_watch_consumers(to, 0));
    oracle_barrier(&p->oracle, queue, from, to, 0, SIZE);
}

/// A texture's columns stand for the bytes, its only mip and layer around them.
static struct wf_watch_box box_of(struct range r)
{
    return (struct wf_watch_box){
        .mip = {0, 1}, .layer = {r.begin, r.end}, .x = {0, 1}, .y = {0, 1}, .aspects = 1};
}

static void fence(struct program *p, uint32_t queue)
{
    const struct range r = range(p);
    const weft_stage_set from = stages(p), to = stages(p);
    const struct wf_watch_fence f = {queue, from, wf_watch_consumers(to, 0), p->position};
    const struct wf_watch_box box = box_of(r);
    if (p->texture)
        wf_watch_fence_box(&p->memory, &p->boxes, &box, &f);
    else
        wf_watch_fence_bytes(&p->memory, &p->bytes, r.begin, r.end, &f);
    oracle_barrier(&p->oracle, queue, from, to, r.begin, r.end);
}

static void event(struct program *p, uint32_t queue)
{
    const uint32_t at = pick(p, EVENTS);
    const weft_stage_set set = stages(p);
    if (pick(p, 2)) {
        p->events[at] = wf_watch_reach_of(&p->order, queue, set, p->position);
        oracle_signal(&p->oracle, queue, set, at);
    } else {
        (void)wf_watch_order_after(&p->order, queue, &p->events[at], wf_watch_consumers(set, 0));
        oracle_wait(&p->oracle, queue, set, at);
    }
}

/// Mostly one that is in order. False: it was none, and both said so; or they disagree.
static bool access(struct program *p, uint32_t queue)
{
    static const uint8_t rows[] = {WF_WATCH_ROW_COPY, WF_WATCH_ROW_COMPUTE, WF_WATCH_ROW_INPUT};
    const struct range r = range(p);
    const uint32_t row = rows[pick(p, 3)];
    const struct wf_watch_use use = {
        .access = {.position = ++p->position,
                   .queue = (uint8_t)queue,
                   .row = (uint8_t)row,
                   .flags = pick(p, 3) == 0 ? WF_WATCH_WRITE : 0},
        .columns = (wf_watch_columns)(1u << row),
        .depth = (wf_watch_columns)(1u << row),
    };
    const bool fine = oracle_fine(&p->oracle, &use.access, r);
    if (!fine && pick(p, 16))
        return true; // left out, so that programs are long
    const struct wf_watch_box box = box_of(r);
    if (p->texture)
        wf_watch_use_box(&p->memory, &p->boxes, &box, &use);
    else
        wf_watch_use_bytes(&p->memory, &p->bytes, r.begin, r.end, &use);
    if (fine != (p->hazards == 0))
        test_fail(__FILE__, __LINE__, "position %d: %d hazards, and the oracle found it %s",
                  (int)p->position, (int)p->hazards, fine ? "fine" : "hazardous");
    oracle_access(&p->oracle, &use.access, r);
    return fine;
}

static uint32_t run(struct program *p)
{
    uint32_t made = 0;
    for (; made < MOST; ++made) {
        const uint32_t queue = pick(p, p->queues), what = pick(p, 16);
        if (what < 9) {
            if (!access(p, queue))
                break;
        } else if (what < 12 || (what < 14 && !p->fences)) {
            barrier(p, queue, stages(p), stages(p));
        } else if (what < 14) {
            fence(p, queue);
        } else {
            event(p, queue);
        }
    }
    return made;
}

static void run_many(uint32_t queues, bool fences, bool texture)
{
    static struct program p;
    uint64_t made = 0;
    const struct wf_base_allocator *allocator = wf_base_allocator_default();
    for (uint32_t seed = 1; seed <= 300; ++seed) {
        p = (struct program){.queues = queues, .fences = fences, .texture = texture};
        p.random = seed;
        p.memory = (struct wf_watch_memory){.allocator = allocator,
                                            .order = &p.order,
                                            .queues = (1u << queues) - 1,
                                            .ordered = on_ordered,
                                            .hazard = on_hazard,
                                            .user = &p};
        made += run(&p);
        wf_watch_free_bytes(&p.memory, &p.bytes);
        wf_watch_free_boxes(&p.memory, &p.boxes);
        wf_watch_memory_finish(&p.memory);
    }
    EXPECT(made > 6000);
}

TEST(core_barrier, bytes_agree_with_the_oracle)
{
    run_many(1, true, false);
}

TEST(core_barrier, boxes_agree_with_the_oracle)
{
    run_many(1, true, true);
}

TEST(core_barrier, queues_agree_with_the_oracle)
{
    run_many(3, false, false);
    run_many(2, false, true);
}

// ---- queues ------------------------------------------------------------------------------------

static void fill(struct fixture *f, weft_queue queue, weft_buffer buffer,
                 const weft_timeline_point *wait, const weft_timeline_point *signal)
{
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f->dev, &(weft_command_desc){.queue = queue}, &cmd), WEFT_OK);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_fill_buffer(enc, buffer, 0, 0, 0);
    weft_compute_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    const weft_submit submit = {.commands = &cmd,
                                .command_count = 1,
                                .waits = wait,
                                .wait_count = wait != NULL,
                                .signals = signal,
                                .signal_count = signal != NULL};
    EXPECT_EQ(weft_queue_submit(f->dev, queue, &submit, NULL), WEFT_OK);
}

TEST(core_barrier, queues_are_ordered_by_timelines)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    f.dev->caps.compute_queues = 1; // noop takes work for any
    weft_timeline line;
    EXPECT_EQ(weft_timeline_create(f.dev, NULL, &line), WEFT_OK);
    weft_buffer buffer = record_buffer(&f, 64, WEFT_BUFFER_USAGE_COPY_DST);
    const weft_timeline_point one = {.timeline = line, .value = 1};
    const weft_timeline_point two = {.timeline = line, .value = 2};
    fill(&f, WEFT_QUEUE_GRAPHICS, buffer, NULL, &one);
    fill(&f, WEFT_QUEUE_COMPUTE, buffer, &one, NULL);
    EXPECT_EQ(fixture_count(&f), 0);
    fill(&f, WEFT_QUEUE_GRAPHICS, buffer, NULL, &two);
    EXPECT(strstr(f.log->hint, "wait for it before WEFT_STAGE_COPY"));
    EXPECT(fixture_took(&f, WEFT_RULE_QUEUES_UNORDERED));
    EXPECT_EQ(weft_timeline_wait(f.dev, line, 2, UINT64_MAX), WEFT_OK);
    fill(&f, WEFT_QUEUE_COMPUTE, buffer, NULL, NULL); // the CPU waited
    EXPECT_EQ(fixture_count(&f), 0);
    weft_buffer_destroy(f.dev, buffer);
    weft_timeline_destroy(f.dev, line);
    fixture_close(&f);
}

// ---- pointers and the heap, which the software device tells of ---------------------------------

enum { WORDS = 64, PART = WORDS * 4 };

struct pointed {
    struct fixture f;
    weft_shader shader;
    weft_compute_pipeline add; ///< 64 words from one pointer to another.
    weft_buffer buffer;        ///< Four parts of 64 words.
    weft_command_buffer *cmd;
    weft_compute_encoder *enc;
};

static struct pointed pointed_open(void)
{
    struct pointed p = {.f = fixture_open(WEFT_BACKEND_SOFTWARE)};
    p.shader = RECORD_SHADER(&p.f, swdev_pointer_comp);
    const weft_compute_pipeline_desc desc = {.compute = {.shader = p.shader}};
    EXPECT_EQ(weft_compute_pipeline_create(p.f.dev, &desc, &p.add), WEFT_OK);
    p.buffer = record_buffer(&p.f, UINT64_C(4) * PART,
                             WEFT_BUFFER_USAGE_ADDRESS | WEFT_BUFFER_USAGE_COPY_DST);
    return p;
}

static void pointed_begin(struct pointed *p)
{
    p->cmd = record_begin(&p->f);
    p->enc = weft_command_begin_compute(p->cmd, NULL);
    weft_compute_set_pipeline(p->enc, p->add);
}

static void add(struct pointed *p, uint64_t from, uint64_t to)
{
    weft_compute_set_root_pointer(p->enc, 0, p->buffer, from);
    weft_compute_set_root_pointer(p->enc, 8, p->buffer, to);
    weft_compute_dispatch(p->enc, 1, 1, 1);
}

static void pointed_barrier(struct pointed *p, weft_stage_set from, weft_stage_set to)
{
    weft_compute_end(p->enc);
    weft_command_barrier(p->cmd, from, to, 0);
    p->enc = weft_command_begin_compute(p->cmd, NULL);
    weft_compute_set_pipeline(p->enc, p->add);
}

/// Whether a barrier was missing in what was recorded.
static bool pointed_end(struct pointed *p)
{
    weft_compute_end(p->enc);
    EXPECT_EQ(weft_command_end(p->cmd), WEFT_OK);
    record_submit(&p->f, p->cmd);
    EXPECT_EQ(weft_device_wait_idle(p->f.dev), WEFT_OK);
    const bool told = fixture_saw(&p->f, WEFT_RULE_BARRIER_MISSING);
    EXPECT_EQ(fixture_count(&p->f), told);
    fixture_clear(&p->f);
    return told;
}

TEST(core_barrier, pointers_are_followed_to_the_word)
{
    struct pointed p = pointed_open();
    pointed_begin(&p); // parts that do not meet
    add(&p, 0, PART);
    add(&p, 0, (uint64_t)2 * PART);
    weft_compute_fill_buffer(p.enc, p.buffer, (uint64_t)3 * PART, PART, 0);
    EXPECT(!pointed_end(&p));
    pointed_begin(&p); // what one writes the next reads
    add(&p, 0, PART);
    pointed_barrier(&p, WEFT_STAGE_COMPUTE, WEFT_STAGE_COMPUTE);
    add(&p, PART, (uint64_t)2 * PART);
    pointed_barrier(&p, WEFT_STAGE_COMPUTE, WEFT_STAGE_COPY);
    weft_compute_fill_buffer(p.enc, p.buffer, PART, PART, 0);
    EXPECT(!pointed_end(&p));
    pointed_begin(&p);
    add(&p, 0, PART);
    add(&p, PART + 128, (uint64_t)2 * PART);
    EXPECT(pointed_end(&p));
    EXPECT(strstr(p.f.log->hint, "WEFT_STAGE_COMPUTE, WEFT_STAGE_COMPUTE, 0);"));
    pointed_begin(&p);
    add(&p, 0, (uint64_t)3 * PART);
    weft_compute_fill_buffer(p.enc, p.buffer, (uint64_t)3 * PART + 16, 8, 0);
    EXPECT(pointed_end(&p));
    weft_compute_pipeline_destroy(p.f.dev, p.add);
    weft_shader_destroy(p.f.dev, p.shader);
    weft_buffer_destroy(p.f.dev, p.buffer);
    fixture_close(&p.f);
}

static uint32_t range_with(struct fixture *f, weft_heap_kind kind, weft_texture_view view,
                           weft_sampler sampler, weft_heap_range *out)
{
    const uint32_t count = kind == WEFT_HEAP_SAMPLED ? 2 : 1;
    EXPECT_EQ(weft_heap_range_create(f->dev, kind, count, out), WEFT_OK);
    for (uint32_t i = 0; i < count; ++i)
        EXPECT_EQ(weft_heap_range_write(f->dev, *out, i, view, sampler), WEFT_OK);
    return weft_heap_range_first(f->dev, *out);
}

TEST(core_barrier, views_in_the_heap_are_followed)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    weft_shader shader = RECORD_SHADER(&f, swdev_heap_comp);
    weft_compute_pipeline pipeline;
    const weft_compute_pipeline_desc desc = {.compute = {.shader = shader}};
    EXPECT_EQ(weft_compute_pipeline_create(f.dev, &desc, &pipeline), WEFT_OK);
    weft_texture source =
        record_texture(&f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_SAMPLED, 1);
    weft_texture image = record_texture(
        &f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_STORAGE | WEFT_TEXTURE_USAGE_COPY_SRC, 1);
    weft_texture_view views[2] = {record_view(&f, source), record_view(&f, image)};
    weft_sampler sampler;
    EXPECT_EQ(weft_sampler_create(f.dev, &(weft_sampler_desc){0}, &sampler), WEFT_OK);
    weft_heap_range ranges[3];
    const uint32_t root[3] = {
        range_with(&f, WEFT_HEAP_SAMPLED, views[0], (weft_sampler){0}, &ranges[0]),
        range_with(&f, WEFT_HEAP_STORAGE, views[1], (weft_sampler){0}, &ranges[1]),
        range_with(&f, WEFT_HEAP_SAMPLER, (weft_texture_view){0}, sampler, &ranges[2])};
    weft_buffer words =
        record_buffer(&f, 16384, WEFT_BUFFER_USAGE_STORAGE | WEFT_BUFFER_USAGE_COPY_DST);
    const weft_argument_write write = {.buffer = words, .size = 16};
    weft_argument_table table =
        record_table(&f, weft_compute_pipeline_layout(f.dev, pipeline, 0), &write, 1);
    fixture_clear(&f); // the heap's shader may warn
    for (int barrier = 1; barrier >= 0; --barrier) {
        weft_command_buffer *cmd = record_begin(&f);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_set_pipeline(enc, pipeline);
        weft_compute_set_arguments(enc, 0, table, NULL, 0);
        weft_compute_set_root(enc, 0, root, sizeof root);
        weft_compute_dispatch(enc, 1, 1, 1);
        weft_compute_end(enc);
        if (barrier)
            weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_COPY, 0);
        enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_texture_to_buffer(enc, image, NULL, words,
                                            &(weft_texel_layout){.offset = 256});
        weft_compute_end(enc);
        weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
        EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
        record_submit(&f, cmd);
        EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_OK);
        EXPECT_EQ(fixture_saw(&f, WEFT_RULE_BARRIER_MISSING), !barrier);
    }
    fixture_clear(&f);
    weft_argument_table_destroy(f.dev, table);
    weft_buffer_destroy(f.dev, words);
    for (int i = 0; i < 3; ++i)
        weft_heap_range_destroy(f.dev, ranges[i]);
    weft_sampler_destroy(f.dev, sampler);
    weft_texture_view_destroy(f.dev, views[0]);
    weft_texture_view_destroy(f.dev, views[1]);
    weft_texture_destroy(f.dev, source);
    weft_texture_destroy(f.dev, image);
    weft_compute_pipeline_destroy(f.dev, pipeline);
    weft_shader_destroy(f.dev, shader);
    fixture_close(&f);
}

// ---- stores of draws ---------------------------------------------------------------------------

/// A pass of two draws that store the same word.
static void pass_that_stores(weft_command_buffer *cmd, weft_texture_view view,
                             weft_graphics_pipeline pipeline, weft_argument_table table)
{
    weft_render_encoder *enc = record_pass(cmd, view);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_arguments(enc, 1, table, NULL, 0);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
}

TEST(core_barrier, draws_store_together_in_a_pass_and_not_in_two)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_plain plain = record_plain_create(&f);
    weft_shader fragment = RECORD_SHADER(&f, frame_storage_frag);
    weft_graphics_pipeline_desc desc = record_plain_desc(&plain);
    desc.fragment.shader = fragment;
    weft_graphics_pipeline pipeline;
    EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &pipeline), WEFT_OK);
    weft_buffer buffer = record_buffer(&f, 64, WEFT_BUFFER_USAGE_STORAGE);
    const weft_argument_write write = {.buffer = buffer};
    weft_argument_table table =
        record_table(&f, weft_graphics_pipeline_layout(f.dev, pipeline, 1), &write, 1);
    weft_command_buffer *cmd = record_begin(&f);
    pass_that_stores(cmd, plain.view, pipeline, table);
    weft_command_barrier(cmd, WEFT_STAGE_TARGET | WEFT_STAGE_FRAGMENT,
                         WEFT_STAGE_TARGET | WEFT_STAGE_FRAGMENT, 0);
    pass_that_stores(cmd, plain.view, pipeline, table);
    weft_command_barrier(cmd, WEFT_STAGE_TARGET, WEFT_STAGE_TARGET, 0);
    EXPECT_EQ(fixture_count(&f), 0);
    pass_that_stores(cmd, plain.view, pipeline, table);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);
    EXPECT(strstr(f.log->hint, "WEFT_STAGE_FRAGMENT, WEFT_STAGE_FRAGMENT, 0);"));
    EXPECT(fixture_took(&f, WEFT_RULE_BARRIER_MISSING));
    weft_argument_table_destroy(f.dev, table);
    weft_buffer_destroy(f.dev, buffer);
    weft_graphics_pipeline_destroy(f.dev, pipeline);
    weft_shader_destroy(f.dev, fragment);
    record_plain_destroy(&f, &plain);
    fixture_close(&f);
}

/// One thing, out of the buffer that was filled just before.
static bool draw_filled(struct fixture *f, const struct record_plain *plain,
                        weft_graphics_pipeline pipeline, weft_buffer things, bool barrier)
{
    weft_command_buffer *cmd = record_begin(f);
    weft_compute_encoder *fill_enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_fill_buffer(fill_enc, things, 0, 0, 0);
    weft_compute_end(fill_enc);
    if (barrier)
        weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_VERTEX, 0);
    weft_render_encoder *enc = record_pass(cmd, plain->view);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_root_pointer(enc, WEFT_SHADER_STAGE_VERTEX, 0, things, 0);
    weft_render_draw(enc, 6, 1, 0, 0);
    weft_render_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(f, cmd);
    EXPECT_EQ(weft_device_wait_idle(f->dev), WEFT_OK);
    return fixture_saw(f, WEFT_RULE_BARRIER_MISSING);
}

TEST(core_barrier, pointers_of_draws_are_followed_pass_by_pass)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    struct record_plain plain = record_plain_create(&f);
    weft_shader shaders[2] = {RECORD_SHADER(&f, driven_vert), RECORD_SHADER(&f, layer_frag)};
    weft_graphics_pipeline_desc desc = record_plain_desc(&plain);
    desc.vertex.shader = shaders[0];
    desc.fragment.shader = shaders[1];
    weft_graphics_pipeline pipeline;
    EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &pipeline), WEFT_OK);
    weft_buffer things =
        record_buffer(&f, 256, WEFT_BUFFER_USAGE_ADDRESS | WEFT_BUFFER_USAGE_COPY_DST);
    EXPECT(!draw_filled(&f, &plain, pipeline, things, true));
    EXPECT(draw_filled(&f, &plain, pipeline, things, false));
    EXPECT(
        strstr(f.log->message, "the draws of the pass, command 3 in \"pass\", reads bytes 0 to"));
    EXPECT(strstr(f.log->hint, "WEFT_STAGE_COPY, WEFT_STAGE_VERTEX, 0);"));
    fixture_clear(&f);
    weft_buffer_destroy(f.dev, things);
    weft_graphics_pipeline_destroy(f.dev, pipeline);
    weft_shader_destroy(f.dev, shaders[0]);
    weft_shader_destroy(f.dev, shaders[1]);
    record_plain_destroy(&f, &plain);
    fixture_close(&f);
}
