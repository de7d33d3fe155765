/// What surface.c and window.c share.
#ifndef WF_VK_SURFACE_H
#define WF_VK_SURFACE_H

#include "backends/vulkan/vulkan.h"

#include "hal/wayland.h"

#define WF_VK_SURFACE_IMAGES  8u
#define WF_VK_HEADLESS_IMAGES 3u
#define WF_VK_SURFACE_OLD     4u

struct wf_vk_surface_image {
    struct wf_vk_texture *texture;
    VkCommandBuffer to_general; ///< The image as it was acquired, contents dropped.
    VkCommandBuffer to_present;
    uint64_t uses[WEFT_QUEUE_COUNT]; ///< By queue, the submission that last named it.
    VkSemaphore acquired;            ///< Windows: signalled when it may be drawn to.
    uint64_t serial;                 ///< Of the submission that waits for `acquired`; 0: none does.
    VkSemaphore presentable;         ///< Windows: signalled when it may be shown.
    VkFence shown;  ///< Signalled when presenting it is over; null: nobody can tell.
    bool presented; ///< At least once; `shown` is signalled or will be.
};

struct wf_vk_surface_images {
    struct wf_vk_surface_image items[WF_VK_SURFACE_IMAGES];
    uint32_t count;
    VkCommandPool pool;
    VkSwapchainKHR swapchain; ///< Null: headless.
    bool paced;               ///< FIFO by our own waiting for the compositor.
    VkSemaphore spare;        ///< For the next acquisition, which tells its image only then.
    uint64_t spare_serial;    ///< Of the submission that waits for `spare`.
    uint64_t newest;          ///< Submission that used any of them.
    /// Of the first submission to an image that had been presented before. When it has finished,
    /// so have all presents before the first of this swapchain. 0: there is none.
    uint64_t proof;
    bool
        untold; ///< Nobody tells when one of its presents is over: it goes when the device is idle.
};

struct wf_vk_surface {
    struct wf_hal_surface base;
    VkSurfaceKHR handle;
    weft_surface_config config;
    struct wf_vk_surface_images images;
    /// Swapchains that others took the place of, until nothing uses them any more.
    struct wf_vk_surface_images old[WF_VK_SURFACE_OLD];
    uint32_t old_count;
    uint32_t next;                 ///< The image that is acquired, or (headless) will be.
    bool acquired;                 ///< An image is the host's.
    bool ready;                    ///< A submission has made it GENERAL.
    bool stale;                    ///< The window changed, or its images were given up: configure.
    bool retired;                  ///< The swapchain was given up for one that could not be made.
    struct wf_hal_wayland wayland; ///< All zero where the window is none of Wayland.
    struct wf_vk_texture *presented;
};

static inline struct wf_vk_surface *wf_vk_surface(struct wf_hal_surface *surface)
{
    return (struct wf_vk_surface *)surface;
}

// surface.c
/// Records the commands of every image.
VkResult wf_vk_surface_record(struct wf_vk_device *dev, struct wf_vk_surface_images *images);
/// The queues that can use images of that usage, and share them.
weft_queue_set wf_vk_surface_queues(weft_texture_usage usage);
/// Destroys images that nothing uses any more.
void wf_vk_surface_drop(struct wf_vk_device *dev, struct wf_vk_surface_images *images);

// window.c
weft_result wf_vk_window_open(struct wf_vk_device *dev, struct wf_vk_surface *surface,
                              const weft_surface_target *target);
void wf_vk_window_close(struct wf_vk_device *dev, struct wf_vk_surface *surface);
weft_result wf_vk_window_query(struct wf_vk_device *dev, struct wf_vk_surface *surface,
                               weft_surface_info *out);
weft_result wf_vk_window_configure(struct wf_vk_device *dev, struct wf_vk_surface *surface,
                                   weft_surface_config *config,
                                   struct wf_vk_surface_images *images);
/// Puts the swapchain among the old ones, for the one that takes its place.
void wf_vk_window_retire(struct wf_vk_device *dev, struct wf_vk_surface *surface);
/// Waits until nothing uses any image of the surface, old or not, and destroys the old ones.
void wf_vk_window_quiet(struct wf_vk_device *dev, struct wf_vk_surface *surface);
weft_acquire_status wf_vk_window_acquire(struct wf_vk_device *dev, struct wf_vk_surface *surface);
weft_result wf_vk_window_present(struct wf_vk_device *dev, struct wf_vk_surface *surface);

#endif
