#include "core/startup.h"

/// The place of a key, or NULL. state_lock is held.
static struct wf_core_attachment *find(struct weft_device *dev, const void *key)
{
    for (uint32_t i = 0; i < dev->attachment_count; ++i) {
        if (dev->attachments[i].key == key)
            return &dev->attachments[i];
    }
    return NULL;
}

weft_result weft_device_attach(weft_device *device, const void *key, void *data,
                               void (*destroy)(weft_device *device, void *data))
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    const struct wf_core_subject on =
        wf_core_about(device, (weft_object){.kind = WEFT_OBJECT_DEVICE});
    if (!wf_core_check_given(&on, key, "key"))
        return WEFT_ERROR_USAGE;
    wf_base_mutex_lock(&device->state_lock);
    const bool taken = find(device, key) != NULL;
    const bool full = device->attachment_count == WF_CORE_ATTACH;
    if (!taken && !full)
        device->attachments[device->attachment_count++] =
            (struct wf_core_attachment){.key = key, .data = data, .destroy = destroy};
    wf_base_mutex_unlock(&device->state_lock);
    if (taken)
        wf_core_broken(&on, WEFT_RULE_ATTACH_KEY_TAKEN, "The key %p is attached already.", key);
    else if (full)
        wf_core_broken(&on, WEFT_RULE_ATTACH_FULL, "%u client libraries are attached already.",
                       WF_CORE_ATTACH);
    return taken || full ? WEFT_ERROR_USAGE : WEFT_OK;
}

void *weft_device_attached(weft_device *device, const void *key)
{
    if (!device)
        return NULL;
    wf_base_mutex_lock(&device->state_lock);
    const struct wf_core_attachment *found = find(device, key);
    void *data = found ? found->data : NULL;
    wf_base_mutex_unlock(&device->state_lock);
    return data;
}

void wf_core_attach_finish(struct weft_device *dev)
{
    while (dev->attachment_count > 0) {
        const struct wf_core_attachment last = dev->attachments[--dev->attachment_count];
        if (last.destroy)
            last.destroy(dev, last.data);
    }
}
