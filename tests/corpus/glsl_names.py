"""Names of OpenGL's GLSL, and what stands for them in Vulkan's."""
import re

# Extensions that Vulkan or glslang's Vulkan rules have not.
FOREIGN_EXTENSIONS = """
ARB_bindless_texture ARB_compute_variable_group_size ARB_shading_language_include
EXT_shader_framebuffer_fetch EXT_shader_framebuffer_fetch_non_coherent AMD_texture_texture4
""".split()
# Extensions that both have, and Weft does not.
REFUSED_EXTENSIONS = """
ARB_shader_clock INTEL_shader_integer_functions2 NV_compute_shader_derivatives NV_viewport_array2
""".split()
# Extensions that have another name in Vulkan; compare-and-swap of floats it has under none.
RENAMED_EXTENSIONS = {
    "NV_shader_atomic_float": ["EXT_shader_atomic_float"],
    "INTEL_shader_atomic_float_minmax": ["EXT_shader_atomic_float", "EXT_shader_atomic_float2"],
}
# Extensions whose contents GLSL 4.60 has of itself, if under other names.
CORE_EXTENSIONS = """
ARB_arrays_of_arrays ARB_bit_encoding ARB_compute_shader ARB_conservative_depth ARB_cull_distance
ARB_derivative_control ARB_draw_buffers ARB_draw_instanced ARB_enhanced_layouts
ARB_explicit_attrib_location ARB_explicit_uniform_location ARB_fragment_coord_conventions
ARB_gpu_shader5 ARB_gpu_shader_fp64 ARB_separate_shader_objects ARB_shader_atomic_counters
ARB_shader_bit_encoding ARB_shader_image_load_store ARB_shader_image_size ARB_shader_precision
ARB_shader_storage_buffer_object ARB_shader_texture_lod ARB_shading_language_420pack
ARB_shading_language_packing ARB_texture_cube_map_array ARB_texture_gather ARB_texture_query_levels
ARB_texture_query_lod ARB_texture_rectangle ARB_uniform_buffer_object ARB_vertex_attrib_64bit
EXT_gpu_shader4 EXT_separate_shader_objects EXT_shader_integer_mix EXT_texture_array
MESA_shader_integer_functions OES_standard_derivatives EXT_frag_depth EXT_shader_texture_lod
ARB_shader_atomic_counter_ops OES_shader_image_atomic EXT_shader_implicit_conversions
EXT_shader_image_load_formatted AMD_shader_trinary_minmax
""".split()

# Names of older GLSL that are functions of today under another name.
OLD_FUNCTIONS = {
    "texture1D": "texture", "texture2D": "texture", "texture3D": "texture", "textureCube": "texture",
    "texture1DProj": "textureProj", "texture2DProj": "textureProj", "texture3DProj": "textureProj",
    "texture1DLod": "textureLod", "texture2DLod": "textureLod", "texture3DLod": "textureLod",
    "textureCubeLod": "textureLod", "texture1DProjLod": "textureProjLod",
    "texture2DProjLod": "textureProjLod", "texture3DProjLod": "textureProjLod",
    "texture1DArray": "texture", "texture2DArray": "texture",
    "texture1DArrayLod": "textureLod", "texture2DArrayLod": "textureLod",
    "texture2DRect": "texture", "texture2DRectProj": "textureProj",
    "texture1DGradARB": "textureGrad", "texture2DGradARB": "textureGrad",
    "texture3DGradARB": "textureGrad", "textureCubeGradARB": "textureGrad",
    "texture1DProjGradARB": "textureProjGrad", "texture2DProjGradARB": "textureProjGrad",
    "texture2DRectGradARB": "textureGrad", "textureQueryLOD": "textureQueryLod",
    "atomicCounterAddARB": "atomicCounterAdd", "atomicCounterSubtractARB": "atomicCounterSubtract",
    "atomicCounterMinARB": "atomicCounterMin", "atomicCounterMaxARB": "atomicCounterMax",
    "atomicCounterAndARB": "atomicCounterAnd", "atomicCounterOrARB": "atomicCounterOr",
    "atomicCounterXorARB": "atomicCounterXor", "atomicCounterExchangeARB": "atomicCounterExchange",
    "atomicCounterCompSwapARB": "atomicCounterCompSwap",
}
# Functions of three numbers, in terms of those of two.
TRINARY = {"min3": "min(a, min(b, c))", "max3": "max(a, max(b, c))",
           "mid3": "max(min(a, b), min(max(a, b), c))"}
# Comparing lookups gave four components.
OLD_SHADOWS = {
    "shadow1D": "texture", "shadow2D": "texture", "shadow1DArray": "texture",
    "shadow2DArray": "texture", "shadow2DRect": "texture", "shadow1DProj": "textureProj",
    "shadow2DProj": "textureProj", "shadow2DRectProj": "textureProj", "shadow1DLod": "textureLod",
    "shadow2DLod": "textureLod", "shadow1DProjLod": "textureProjLod",
    "shadow2DProjLod": "textureProjLod", "shadow1DGradARB": "textureGrad",
    "shadow2DGradARB": "textureGrad", "shadow2DRectGradARB": "textureGrad",
    "shadow2DProjGradARB": "textureProjGrad", "shadow1DProjGradARB": "textureProjGrad",
    "shadow2DRectProjGradARB": "textureProjGrad",
}

# The compatibility profile's built-ins as variables of our own: name, then what declares it.
# {color} is how colors are interpolated.
VERTEX_BUILTINS = {
    "gl_Vertex": ("wf_Vertex", "in vec4 wf_Vertex;"),
    "gl_Color": ("wf_Color_in", "in vec4 wf_Color_in;"),
    "gl_SecondaryColor": ("wf_Secondary_in", "in vec4 wf_Secondary_in;"),
    "gl_Normal": ("wf_Normal", "in vec3 wf_Normal;"),
    "gl_FrontColor": ("wf_FrontColor", "{color}out vec4 wf_FrontColor;"),
    "gl_BackColor": ("wf_BackColor", "{color}out vec4 wf_BackColor;"),
    "gl_FrontSecondaryColor": ("wf_FrontSecondary", "{color}out vec4 wf_FrontSecondary;"),
    "gl_BackSecondaryColor": ("wf_BackSecondary", "{color}out vec4 wf_BackSecondary;"),
    "gl_TexCoord": ("wf_TexCoord", "out vec4 wf_TexCoord[8];"),
    "gl_FogFragCoord": ("wf_FogFragCoord", "out float wf_FogFragCoord;"),
    "gl_ClipVertex": ("wf_ClipVertex", "vec4 wf_ClipVertex;"),
}
for unit in range(8):
    VERTEX_BUILTINS[f"gl_MultiTexCoord{unit}"] = (f"wf_MultiTexCoord{unit}",
                                                  f"in vec4 wf_MultiTexCoord{unit};")
FRAGMENT_BUILTINS = {
    "gl_FragColor": ("wf_FragColor", "layout(location = 0) out vec4 wf_FragColor;"),
    "gl_FragData": ("wf_FragData", "layout(location = 0) out vec4 wf_FragData[8];"),
    "gl_TexCoord": ("wf_TexCoord", "in vec4 wf_TexCoord[8];"),
    "gl_FogFragCoord": ("wf_FogFragCoord", "in float wf_FogFragCoord;"),
}
COMMON_BUILTINS = {
    "gl_ModelViewProjectionMatrix": ("wf_MVP", "uniform mat4 wf_MVP;"),
    "gl_ModelViewMatrix": ("wf_ModelView", "uniform mat4 wf_ModelView;"),
    "gl_ProjectionMatrix": ("wf_Projection", "uniform mat4 wf_Projection;"),
    "gl_TextureMatrix": ("wf_TextureMatrix", "uniform mat4 wf_TextureMatrix[8];"),
    "gl_DepthRange": ("wf_DepthRange", "struct wf_DepthRangeType { float near, far, diff; };\n"
                      "const wf_DepthRangeType wf_DepthRange = wf_DepthRangeType(0.0, 1.0, 1.0);"),
    "gl_MaxTextureUnits": ("wf_MaxTextureUnits", "const int wf_MaxTextureUnits = 8;"),
    "gl_MaxTextureCoords": ("wf_MaxTextureCoords", "const int wf_MaxTextureCoords = 8;"),
    "gl_MaxClipPlanes": ("wf_MaxClipPlanes", "const int wf_MaxClipPlanes = 8;"),
    "gl_MaxLights": ("wf_MaxLights", "const int wf_MaxLights = 8;"),
    "gl_InstanceIDARB": ("gl_InstanceID", ""),
}
COLORS = ("wf_FrontColor", "wf_BackColor", "wf_FrontSecondary", "wf_BackSecondary")
# Built-ins for which nothing does.
FIXED_FUNCTION = re.compile(r"\bgl_(LightSource|LightModel|FrontMaterial|FrontLightModelProduct|Fog\b|"
                            r"FrontLightProduct|Point\b|NormalMatrix|NormalScale|ClipPlane\b)")
