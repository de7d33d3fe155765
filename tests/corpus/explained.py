"""Failures that were looked into: names, and in one line what is at fault."""
import re

KEEPS_SUBNORMALS = ("the test wants results below 2^-126 to be 0; they are rounded to the subnormal numbers, "
                    "which the device keeps")
EXPLAINED = [(re.compile(pattern), sentence) for pattern, sentence in [
    (r"built-in-functions/[fv]s-ldexp\.", KEEPS_SUBNORMALS),
    (r"fs-underflow-(fma|mul|pow)-compare-zero", KEEPS_SUBNORMALS),
    (r"glsl-const-builtin-degrees", "glslang folds degrees(3.1415926535) to a little less than 180"),
    (r"fs-do-while-scope", "glslang lets a do loop's condition see what its body declares"),
    (r"vs-out-conversion-int-to-float-vec4-index",
     "glslang evaluates the index of an out argument after the call, not before"),
    (r"fs-atomic-counter-layout", "glslang 12 writes an invalid module for an array of atomic counters"),
    (r"ssbo-atomicM(ax|in)-float-NaN", "the test wants signaling NaNs to win over numbers in atomic minima and maxima, "
                                       "as on Intel's hardware; the device keeps the number"),
    (r"glsl-[fv]s-inline-explosion", "the device inlines functions, and refuses a program of 65,000 blocks"),
]]


def explain(name):
    """One line for a failure; None if nobody has looked into it."""
    for pattern, sentence in EXPLAINED:
        if pattern.search(name):
            return sentence
    return None
