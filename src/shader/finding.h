/// Something in shaders that is legal SPIR-V but wrong in use: found by reflection, or by checks
/// between stages.
#ifndef WF_SHADER_FINDING_H
#define WF_SHADER_FINDING_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum wf_shader_finding_kind {
    /// A descriptor array is indexed by a value that may differ between invocations, and nothing on
    /// the way is decorated NonUniform. The index is followed through the module: it is reported if
    /// it derives from a stage input or from a built-in of the invocation (GlobalInvocationId,
    /// InstanceIndex, FragCoord ...; not from WorkgroupId, NumWorkgroups, DrawIndex, BaseVertex,
    /// BaseInstance, ViewIndex), through arithmetic, calls, variables of functions and Private
    /// ones, and loads at addresses that so derive. Values read at uniform addresses and the
    /// results of atomics are taken for uniform, and control flow is not looked at.
    WF_SHADER_FINDING_NON_UNIFORM_INDEX,

    // Between stages, see check.h.
    WF_SHADER_FINDING_MISSING_OUTPUT,
    WF_SHADER_FINDING_TYPE,
    WF_SHADER_FINDING_COMPONENTS,
    WF_SHADER_FINDING_INTERPOLATION,
    WF_SHADER_FINDING_BINDING_TYPE,
    WF_SHADER_FINDING_BINDING_COUNT,
    WF_SHADER_FINDING_BINDING_VIEW,
};

struct wf_shader_finding {
    enum wf_shader_finding_kind kind;
    uint32_t word;                ///< In the module that is to blame; 0: no instruction is.
    uint32_t id;                  ///< Variable or value, 0: none.
    uint32_t set, binding;        ///< Of bindings, else WF_SHADER_NONE.
    uint32_t location, component; ///< Of varyings, else WF_SHADER_NONE.
    char message[192];            ///< A sentence.
    char file[128];               ///< From debug information; empty if unknown.
    uint32_t line, column;
};

#ifdef __cplusplus
}
#endif

#endif
