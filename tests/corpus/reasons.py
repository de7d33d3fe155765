"""The closed list of reasons for which a test is not applicable."""

REASONS = {
    "glslang": "glslang rejects the source under Vulkan's rules",
    "extension": "needs an extension that Vulkan or glslang has not",
    "refused": "needs an extension that Vulkan has and Weft does not offer",
    "spirv": "its shaders are SPIR-V for OpenGL, which Vulkan's rules forbid",
    "legacy": "needs fixed function of the compatibility profile (lights, fog, quads, several depth modes)",
    "subroutine": "needs shader subroutines",
    "command": "its test commands are about OpenGL's own interface",
    "opaque": "keeps samplers in structures, which Vulkan forbids",
    "vertex": "needs 64-bit vertex attributes, which the API has no formats for",
    "format": "needs a texture format or kind that the API has not",
}
