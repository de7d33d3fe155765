// What a driver's own checks say. Core's checks come first, so they are told to look away.
#include "support/record.h"

#include <string.h>

TEST(driver_rules, what_the_driver_says_is_a_diagnostic)
{
    struct fixture f = fixture_start(&(weft_device_desc){.backends = 1u << WEFT_BACKEND_VULKAN,
                                                         .validation = WEFT_VALIDATION_FULL});
    if (weft_device_startup(f.dev).state != WEFT_DEVICE_READY) {
        fixture_end(&f);
        fixture_free(&f);
        test_skip("there is no Vulkan device");
        return;
    }
    const weft_buffer from = record_buffer(&f, 64, WEFT_BUFFER_USAGE_COPY_SRC);
    const weft_buffer to = record_buffer(&f, 64, WEFT_BUFFER_USAGE_COPY_DST);
    weft_command_buffer *cmd;
    EXPECT_EQ(
        weft_command_begin(f.dev, &(weft_command_desc){.flags = WEFT_COMMAND_PREVALIDATED}, &cmd),
        WEFT_OK);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer(enc, from, 0, to, 0, 1024); // beyond both
    weft_compute_end(enc);
    const bool told = f.log->count > 0 && f.log->codes[0] == WEFT_RULE_DRIVER_MESSAGE;
    if (told)
        EXPECT(strstr(f.log->message, "vkCmdCopyBuffer") != NULL);
    weft_command_discard(cmd);
    fixture_end(&f);
    fixture_free(&f);
    if (!told)
        test_skip("there is no VK_LAYER_KHRONOS_validation");
}
