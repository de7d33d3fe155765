/// Unpacks constant data that tools/gen/pack.py packed when the library was built: text that is
/// needed seldom is carried at a third of its size.
///
/// A packed stream is the checksum of what it unpacks to (FNV-1a, 32 bits), highest byte first, and
/// then a sequence of literals and matches, coded bit by bit:
///   0, byte               a literal, highest bit first
///   1, length, distance   `length` bytes (at least 2) as they are `distance` bytes (at least
///                         1) back; the two may overlap
/// Length minus 1 and distance are numbers from 1 to 65535: the count of bits below the highest one
/// in unary, then these bits at even odds. Each other bit has a model, the chance that it is 0,
/// which is learnt as the stream goes on. The model of a literal's bit is chosen by the bits before
/// it and by the three highest bits of the byte before. The coder is a range coder of 32 bits, as
/// in LZMA.
#ifndef WF_BASE_UNPACK_H
#define WF_BASE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Writes `out_size` bytes, of which `packed` must be the whole stream. False when it is not, cut
/// or damaged: then `out` holds anything. Reads and writes nothing beyond the two; 9 KB of stack,
/// no heap.
bool wf_base_unpack(const uint8_t *packed, size_t packed_size, uint8_t *out, size_t out_size);

#endif
