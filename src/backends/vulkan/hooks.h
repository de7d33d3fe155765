/// The hooks of the hal that this backend fills, by file. Their contracts are in hal.h.
#ifndef WF_VK_HOOKS_H
#define WF_VK_HOOKS_H

#include "hal/hal.h"

weft_result wf_vk_native_get(struct wf_hal_device *hal, weft_object_kind kind, void *object,
                             const struct wf_hal_native_place *place);
void wf_vk_buffer_needs(struct wf_hal_device *hal, const weft_buffer_desc *desc,
                        weft_memory_needs *out);
void wf_vk_texture_needs(struct wf_hal_device *hal, const weft_texture_desc *desc,
                         weft_memory_needs *out);
weft_result wf_vk_memory_block_create(struct wf_hal_device *hal, const weft_memory_block_desc *desc,
                                      struct wf_hal_memory_block **out);
void wf_vk_memory_block_destroy(struct wf_hal_device *hal, struct wf_hal_memory_block *base);
weft_memory_budget wf_vk_memory_budget(struct wf_hal_device *hal);

weft_result wf_vk_buffer_create(struct wf_hal_device *hal, const weft_buffer_desc *desc,
                                const struct wf_hal_placement *place, struct wf_hal_buffer **out);
void wf_vk_buffer_destroy(struct wf_hal_device *hal, struct wf_hal_buffer *base);
void wf_vk_buffer_flush(struct wf_hal_device *hal, struct wf_hal_buffer *base, uint64_t offset,
                        uint64_t size);

weft_result wf_vk_texture_create(struct wf_hal_device *hal, const weft_texture_desc *desc,
                                 const struct wf_hal_placement *place, struct wf_hal_texture **out);
void wf_vk_texture_destroy(struct wf_hal_device *hal, struct wf_hal_texture *base);
weft_result wf_vk_texture_view_create(struct wf_hal_device *hal, struct wf_hal_texture *tex,
                                      const weft_texture_view_desc *desc,
                                      struct wf_hal_texture_view **out);
void wf_vk_texture_view_destroy(struct wf_hal_device *hal, struct wf_hal_texture_view *base);
weft_result wf_vk_sampler_create(struct wf_hal_device *hal, const weft_sampler_desc *desc,
                                 struct wf_hal_sampler **out);
void wf_vk_sampler_destroy(struct wf_hal_device *hal, struct wf_hal_sampler *base);
void wf_vk_acceleration_sizes(struct wf_hal_device *hal,
                              const struct wf_hal_acceleration_desc *desc,
                              weft_acceleration_sizes *out);
weft_result wf_vk_acceleration_create(struct wf_hal_device *hal,
                                      const struct wf_hal_acceleration_desc *desc,
                                      struct wf_hal_acceleration **out);
void wf_vk_acceleration_destroy(struct wf_hal_device *hal, struct wf_hal_acceleration *base);
void wf_vk_heap_write_acceleration(struct wf_hal_device *hal, uint32_t index,
                                   struct wf_hal_acceleration *structure);
void wf_vk_heap_write(struct wf_hal_device *hal, weft_heap_kind kind, uint32_t index,
                      struct wf_hal_texture_view *view, struct wf_hal_sampler *sampler);

weft_result wf_vk_shader_create(struct wf_hal_device *hal, const struct wf_shader_module *module,
                                struct wf_hal_shader **out, struct wf_shader_error *error);
void wf_vk_shader_destroy(struct wf_hal_device *hal, struct wf_hal_shader *shader);
weft_result wf_vk_layout_create(struct wf_hal_device *hal, const struct wf_hal_argument *arguments,
                                uint32_t argument_count, struct wf_hal_layout **out);
void wf_vk_layout_destroy(struct wf_hal_device *hal, struct wf_hal_layout *base);
weft_result wf_vk_graphics_pipeline_create(struct wf_hal_device *hal,
                                           const struct wf_hal_graphics_pipeline_desc *desc,
                                           struct wf_hal_pipeline **out,
                                           struct wf_shader_error *error);
weft_result wf_vk_compute_pipeline_create(struct wf_hal_device *hal,
                                          const struct wf_hal_compute_pipeline_desc *desc,
                                          struct wf_hal_pipeline **out,
                                          struct wf_shader_error *error);
void wf_vk_pipeline_destroy(struct wf_hal_device *hal, struct wf_hal_pipeline *base);
bool wf_vk_pipeline_cache_save(struct wf_hal_device *hal, void *data, size_t *size);
bool wf_vk_pipeline_cache_load(struct wf_hal_device *hal, const void *data, size_t size);
weft_result wf_vk_table_create(struct wf_hal_device *hal, struct wf_hal_layout *base,
                               struct wf_hal_table **out);
void wf_vk_table_destroy(struct wf_hal_device *hal, struct wf_hal_table *base);
weft_result wf_vk_table_write(struct wf_hal_device *hal, struct wf_hal_table *base,
                              const struct wf_hal_write *writes, uint32_t count);
weft_result wf_vk_query_pool_create(struct wf_hal_device *hal, const weft_query_pool_desc *desc,
                                    struct wf_hal_query_pool **out);
void wf_vk_query_pool_destroy(struct wf_hal_device *hal, struct wf_hal_query_pool *base);
weft_result wf_vk_query_pool_read(struct wf_hal_device *hal, struct wf_hal_query_pool *base,
                                  uint32_t first, uint32_t count, uint64_t *out);

weft_result wf_vk_timeline_create(struct wf_hal_device *hal, uint64_t initial,
                                  struct wf_hal_timeline **out);
void wf_vk_timeline_destroy(struct wf_hal_device *hal, struct wf_hal_timeline *timeline);
uint64_t wf_vk_timeline_value(struct wf_hal_device *hal, struct wf_hal_timeline *timeline);
weft_result wf_vk_timeline_wait(struct wf_hal_device *hal, struct wf_hal_timeline *timeline,
                                uint64_t value, uint64_t timeout_ns);
weft_result wf_vk_timeline_signal(struct wf_hal_device *hal, struct wf_hal_timeline *timeline,
                                  uint64_t value);
weft_result wf_vk_queue_submit(struct wf_hal_device *hal, weft_queue queue,
                               const struct wf_hal_submit *submit);
uint64_t wf_vk_serial_finished(struct wf_hal_device *hal);
weft_result wf_vk_serial_wait(struct wf_hal_device *hal, uint64_t serial, uint64_t timeout_ns);
bool wf_vk_lost(struct wf_hal_device *hal, char reason[WF_HAL_REASON_LENGTH]);

weft_result wf_vk_surface_create(struct wf_hal_device *hal, const weft_surface_target *target,
                                 struct wf_hal_surface **out);
void wf_vk_surface_destroy(struct wf_hal_device *hal, struct wf_hal_surface *base);
weft_result wf_vk_surface_query(struct wf_hal_device *hal, struct wf_hal_surface *base,
                                weft_surface_info *out);
weft_result wf_vk_surface_configure(struct wf_hal_device *hal, struct wf_hal_surface *base,
                                    weft_surface_config *config);
weft_acquire_status wf_vk_surface_acquire(struct wf_hal_device *hal, struct wf_hal_surface *base,
                                          struct wf_hal_texture **out);
weft_result wf_vk_surface_present(struct wf_hal_device *hal, struct wf_hal_surface *base,
                                  const weft_rect *damage, uint32_t damage_count);
struct wf_hal_texture *wf_vk_surface_presented(struct wf_hal_device *hal,
                                               struct wf_hal_surface *base);

weft_result wf_vk_command_pool_create(struct wf_hal_device *hal, weft_queue queue,
                                      struct wf_hal_command_pool **out);
void wf_vk_command_pool_destroy(struct wf_hal_device *hal, struct wf_hal_command_pool *base);
void wf_vk_command_pool_reset(struct wf_hal_device *hal, struct wf_hal_command_pool *pool);
weft_result wf_vk_command_begin(struct wf_hal_device *hal, struct wf_hal_command_pool *base,
                                struct wf_hal_command **out);
weft_result wf_vk_command_end(struct wf_hal_command *base);
void wf_vk_command_discard(struct wf_hal_command *cmd);
void wf_vk_cmd_barrier(struct wf_hal_command *base, weft_stage_set producers,
                       weft_stage_set consumers, weft_hazard_set hazards);
void wf_vk_cmd_texture_barrier(struct wf_hal_command *base,
                               const struct wf_hal_texture_barrier *barriers, uint32_t count);
void wf_vk_cmd_buffer_barrier(struct wf_hal_command *base,
                              const struct wf_hal_buffer_barrier *barriers, uint32_t count);
void wf_vk_cmd_alias_barrier(struct wf_hal_command *base, struct wf_hal_texture *after);
void wf_vk_cmd_signal_after(struct wf_hal_command *base, weft_stage_set producers, uint32_t event);
void wf_vk_cmd_wait_before(struct wf_hal_command *base, weft_stage_set consumers,
                           weft_hazard_set hazards, uint32_t event);
void wf_vk_cmd_push_group(struct wf_hal_command *base, const char *label);
void wf_vk_cmd_pop_group(struct wf_hal_command *base);
void wf_vk_cmd_marker(struct wf_hal_command *base, const char *label);
void wf_vk_cmd_write_timestamp(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                               uint32_t query);
void wf_vk_cmd_resolve_queries(struct wf_hal_command *base, struct wf_hal_query_pool *pool_base,
                               uint32_t first, uint32_t count, struct wf_hal_buffer *buf,
                               uint64_t offset);
void wf_vk_cmd_begin_render(struct wf_hal_command *base, const struct wf_hal_render_pass *pass);
void wf_vk_cmd_end_render(struct wf_hal_command *base);
void wf_vk_cmd_set_pipeline(struct wf_hal_command *base, struct wf_hal_pipeline *pipeline);
void wf_vk_cmd_set_depth_stencil(struct wf_hal_command *base,
                                 const weft_depth_stencil_state *state);
void wf_vk_cmd_set_blend(struct wf_hal_command *base, const weft_blend_state *state);
void wf_vk_cmd_set_raster(struct wf_hal_command *base, const weft_raster_state *state);
void wf_vk_cmd_set_viewport(struct wf_hal_command *base, const weft_viewport *v);
void wf_vk_cmd_set_scissor(struct wf_hal_command *base, const weft_rect *s);
void wf_vk_cmd_set_stencil_reference(struct wf_hal_command *base, uint32_t reference);
void wf_vk_cmd_set_blend_constant(struct wf_hal_command *base, const float color[4]);
void wf_vk_cmd_set_table(struct wf_hal_command *base, uint32_t slot, struct wf_hal_table *table,
                         const uint32_t *offsets, uint32_t offset_count);
void wf_vk_cmd_set_root(struct wf_hal_command *base, weft_shader_stages stages, uint32_t offset,
                        const void *data, uint32_t size);
void wf_vk_cmd_set_vertex_buffer(struct wf_hal_command *base, uint32_t slot,
                                 struct wf_hal_buffer *buf, uint64_t offset);
void wf_vk_cmd_set_index_buffer(struct wf_hal_command *base, struct wf_hal_buffer *buf,
                                uint64_t offset, weft_index_type type);
void wf_vk_cmd_draw(struct wf_hal_command *base, uint32_t vertex_count, uint32_t instance_count,
                    uint32_t first_vertex, uint32_t first_instance);
void wf_vk_cmd_draw_indexed(struct wf_hal_command *base, uint32_t index_count,
                            uint32_t instance_count, uint32_t first_index, int32_t vertex_offset,
                            uint32_t first_instance);
void wf_vk_cmd_draw_indirect(struct wf_hal_command *base, const struct wf_hal_indirect *draws);
void wf_vk_cmd_draw_mesh(struct wf_hal_command *base, uint32_t x, uint32_t y, uint32_t z);
void wf_vk_cmd_draw_mesh_indirect(struct wf_hal_command *base, const struct wf_hal_indirect *draws);
void wf_vk_cmd_draw_indexed_indirect(struct wf_hal_command *base,
                                     const struct wf_hal_indirect *draws);
void wf_vk_cmd_begin_occlusion(struct wf_hal_command *base, uint32_t query);
void wf_vk_cmd_end_occlusion(struct wf_hal_command *base);
void wf_vk_cmd_begin_statistics(struct wf_hal_command *base, struct wf_hal_query_pool *pool,
                                uint32_t query);
void wf_vk_cmd_end_statistics(struct wf_hal_command *base);
void wf_vk_cmd_begin_compute(struct wf_hal_command *base, struct wf_hal_query_pool *times,
                             uint32_t time_begin, uint32_t time_end, const char *label);
void wf_vk_cmd_end_compute(struct wf_hal_command *base);
void wf_vk_cmd_set_compute_pipeline(struct wf_hal_command *base, struct wf_hal_pipeline *pipeline);
void wf_vk_cmd_dispatch(struct wf_hal_command *base, uint32_t x, uint32_t y, uint32_t z);
void wf_vk_cmd_dispatch_indirect(struct wf_hal_command *base, struct wf_hal_buffer *buf,
                                 uint64_t offset);
void wf_vk_cmd_copy_buffer(struct wf_hal_command *base, struct wf_hal_buffer *src,
                           struct wf_hal_buffer *dst, const struct wf_hal_buffer_copy *regions,
                           uint32_t region_count);
void wf_vk_cmd_copy_buffer_to_texture(struct wf_hal_command *base, struct wf_hal_buffer *src,
                                      const struct wf_hal_texel_layout *layout,
                                      struct wf_hal_texture *dst,
                                      const weft_texture_region *region);
void wf_vk_cmd_copy_texture_to_buffer(struct wf_hal_command *base, struct wf_hal_texture *src,
                                      const weft_texture_region *region, struct wf_hal_buffer *dst,
                                      const struct wf_hal_texel_layout *layout);
void wf_vk_cmd_copy_texture(struct wf_hal_command *base, struct wf_hal_texture *src,
                            const weft_texture_region *src_region, struct wf_hal_texture *dst,
                            const weft_texture_region *dst_region);
void wf_vk_cmd_fill_buffer(struct wf_hal_command *base, struct wf_hal_buffer *buf, uint64_t offset,
                           uint64_t size, uint32_t value);
void wf_vk_cmd_build_acceleration(struct wf_hal_command *base,
                                  const struct wf_hal_acceleration_build *build);
void wf_vk_cmd_generate_mips(struct wf_hal_command *base, struct wf_hal_texture *hal);

#endif
