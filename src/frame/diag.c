#include "frame/context.h"

#include <stdarg.h>
#include <stdio.h>

enum { MESSAGE_LENGTH = 512 };

/// The layer's name for messages; "" if there is none.
static const char *layer_name(const struct weft_frame *frame, uint32_t layer)
{
    if (layer >= frame->layers.count)
        return "";
    return ((const struct wf_frame_layer *)wf_frame_at(&frame->layers, layer))->name;
}

/// A record whose strings live for the frame.
static void list(struct weft_frame *frame, const weft_frame_diagnostic *diagnostic)
{
    weft_frame_diagnostic *at = wf_frame_append(frame, &frame->diagnostics, 1);
    if (!at)
        return;
    *at = *diagnostic;
    at->layer = wf_frame_keep(frame, diagnostic->layer);
    at->message = wf_frame_keep(frame, diagnostic->message);
    at->hint = wf_frame_keep(frame, diagnostic->hint);
}

void wf_frame_fail(struct weft_frame *frame, weft_result result)
{
    if (frame->failed == WEFT_OK)
        frame->failed = result;
}

/// The first rule that a packet broke is why it failed.
static void refuse(struct weft_frame *frame, uint64_t sequence, uint32_t code,
                   enum wf_frame_reason reason)
{
    if (sequence >= frame->packets.count)
        return;
    struct wf_frame_packet *packet = wf_frame_at(&frame->packets, sequence);
    if (packet->fate == WEFT_FATE_FAILED)
        return;
    packet->fate = WEFT_FATE_FAILED;
    packet->code = (uint16_t)code;
    packet->reason = (uint8_t)reason;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 0)))
#endif
static void
write_message(char message[MESSAGE_LENGTH], const char *format, va_list args)
{
    (void)vsnprintf(message, MESSAGE_LENGTH, format, args);
}

/// Tells the device. `pass` is what stands for it here: the layer.
static void tell(weft_device *device, weft_rule rule, uint64_t sequence, const char *label,
                 const char *layer, const char *message)
{
    const bool warns = rule == WEFT_RULE_FRAME_NOT_PRESENTED || rule == WEFT_RULE_OBJECT_LEAKED;
    const weft_rule_info *info = weft_rule_from_code((uint32_t)rule);
    weft_device_report(device, &(weft_diagnostic){
                                   .code = (uint32_t)rule,
                                   .severity = warns ? WEFT_SEVERITY_WARNING : WEFT_SEVERITY_ERROR,
                                   .object = {.kind = WEFT_OBJECT_FRAME},
                                   .command = sequence,
                                   .label = label ? label : "",
                                   .pass = layer,
                                   .message = message,
                                   .hint = info ? info->remedy : "",
                               });
}

bool wf_frame_broken(struct weft_frame *frame, weft_rule rule, uint64_t sequence, uint32_t layer,
                     const char *format, ...)
{
    // What could not be made for lack of memory or device is missed from then on: no misuse.
    if (frame->failed == WEFT_ERROR_MEMORY || frame->failed == WEFT_ERROR_DEVICE_MEMORY ||
        frame->failed == WEFT_ERROR_LOST)
        return false;
    char message[MESSAGE_LENGTH];
    va_list args;
    va_start(args, format);
    write_message(message, format, args);
    va_end(args);
    wf_frame_fail(frame, WEFT_ERROR_USAGE);
    refuse(frame, sequence, (uint32_t)rule, WF_FRAME_REASON_REFUSED);
    const weft_rule_info *info = weft_rule_from_code((uint32_t)rule);
    list(frame,
         &(weft_frame_diagnostic){(uint32_t)rule, WEFT_SEVERITY_ERROR, sequence,
                                  layer_name(frame, layer), message, info ? info->remedy : ""});
    frame->telling = true;
    tell(frame->device, rule, sequence, frame->label, layer_name(frame, layer), message);
    frame->telling = false;
    return false;
}

void wf_frame_not_presented(struct weft_frame *frame)
{
    static const char message[] = "Nothing was drawn to the frame's surface: it is not presented.";
    const weft_rule rule = WEFT_RULE_FRAME_NOT_PRESENTED;
    const weft_rule_info *info = weft_rule_from_code((uint32_t)rule);
    list(frame, &(weft_frame_diagnostic){(uint32_t)rule, WEFT_SEVERITY_WARNING, UINT64_MAX, "",
                                         message, info ? info->remedy : ""});
    tell(frame->device, rule, UINT64_MAX, frame->label, "", message);
}

bool wf_frame_broken_device(weft_device *device, weft_rule rule, const char *label,
                            const char *format, ...)
{
    char message[MESSAGE_LENGTH];
    va_list args;
    va_start(args, format);
    write_message(message, format, args);
    va_end(args);
    tell(device, rule, UINT64_MAX, label, "", message);
    return false;
}

void wf_frame_out_of_memory(struct weft_frame *frame)
{
    const bool first = frame->failed == WEFT_OK && !frame->listening;
    wf_frame_fail(frame, WEFT_ERROR_MEMORY); // before the report, which comes back to the listener
    if (first)
        wf_frame_broken_device(frame->device, WEFT_RULE_NONE, frame->label,
                               "To keep what the frame was given failed: out of memory.");
}

void wf_frame_listen(void *user, const weft_diagnostic *diagnostic)
{
    struct weft_frame *frame = user;
    if (frame->telling) // its own words, which are listed
        return;
    const uint64_t sequence = frame->judged != UINT64_MAX ? frame->judged : diagnostic->command;
    frame->listening = true;
    list(frame, &(weft_frame_diagnostic){diagnostic->code, diagnostic->severity, sequence,
                                         diagnostic->pass, diagnostic->message, diagnostic->hint});
    frame->listening = false;
    if (diagnostic->severity == WEFT_SEVERITY_ERROR)
        refuse(frame, sequence, diagnostic->code,
               frame->judged != UINT64_MAX ? WF_FRAME_REASON_REFUSED : WF_FRAME_REASON_RECORDED);
}
