/// What a fuzz target defines. With WEFT_FUZZ libFuzzer calls it; otherwise fuzz_replay.c feeds it
/// the corpus.
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); // NOLINT: libFuzzer's name
