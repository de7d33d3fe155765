/// corpus_compile: glslang for the corpus runner, kept running because starting it takes longer
/// than a shader does. It reads requests from its standard input:
///
///     STAGE COUNT\n           vertex, fragment or compute, and how many texts follow
///     SIZE\n<SIZE bytes>      a text, COUNT times
///
/// and answers each with "spirv SIZE\n<bytes>" or "error SIZE\n<glslang's messages>". The rules are
/// those of `glslangValidator -V -R --target-env vulkan1.3 --amb --aml`.
#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXTS    16
#define MESSAGES (GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT)

struct request {
    glslang_stage_t stage;
    int count;
    char *texts[TEXTS];
    glslang_shader_t *shaders[TEXTS];
    glslang_program_t *program;
};

static void answer(const char *kind, const void *bytes, size_t size)
{
    (void)printf("%s %zu\n", kind, size);
    (void)fwrite(bytes, 1, size, stdout);
    (void)fflush(stdout);
}

static void refuse(const char *message)
{
    answer("error", message, strlen(message));
}

static char *read_text(void)
{
    size_t size = 0;
    if (scanf("%zu", &size) != 1 || getchar() != '\n')
        return NULL;
    char *text = malloc(size + 1);
    if (!text || fread(text, 1, size, stdin) != size) {
        free(text);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

/// False at the end of the input.
static int read_request(struct request *r)
{
    static const struct {
        const char *name;
        glslang_stage_t stage;
    } stages[] = {
        {"vertex", GLSLANG_STAGE_VERTEX},
        {"fragment", GLSLANG_STAGE_FRAGMENT},
        {"compute", GLSLANG_STAGE_COMPUTE},
    };
    char name[16] = "";
    memset(r, 0, sizeof *r);
    if (scanf("%15s %d", name, &r->count) != 2 || r->count < 1 || r->count > TEXTS)
        return 0;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (strcmp(stages[i].name, name) == 0)
            r->stage = stages[i].stage;
    for (int i = 0; i < r->count; i++) {
        r->texts[i] = read_text();
        if (!r->texts[i])
            return 0;
    }
    return 1;
}

/// Parses one text and adds it to the program; 0 and the answer on an error.
static int add_shader(struct request *r, int i)
{
    const glslang_input_t input = {
        .language = GLSLANG_SOURCE_GLSL,
        .stage = r->stage,
        .client = GLSLANG_CLIENT_VULKAN,
        .client_version = GLSLANG_TARGET_VULKAN_1_3,
        .target_language = GLSLANG_TARGET_SPV,
        .target_language_version = GLSLANG_TARGET_SPV_1_6,
        .code = r->texts[i],
        .default_version = 100,
        .default_profile = GLSLANG_NO_PROFILE,
        .messages = (glslang_messages_t)MESSAGES,
        .resource = glslang_default_resource(),
    };
    r->shaders[i] = glslang_shader_create(&input);
    glslang_shader_set_options(r->shaders[i], GLSLANG_SHADER_AUTO_MAP_BINDINGS |
                                                  GLSLANG_SHADER_AUTO_MAP_LOCATIONS |
                                                  GLSLANG_SHADER_VULKAN_RULES_RELAXED);
    if (!glslang_shader_preprocess(r->shaders[i], &input) ||
        !glslang_shader_parse(r->shaders[i], &input)) {
        refuse(glslang_shader_get_info_log(r->shaders[i]));
        return 0;
    }
    glslang_program_add_shader(r->program, r->shaders[i]);
    return 1;
}

static void compile(struct request *r)
{
    r->program = glslang_program_create();
    for (int i = 0; i < r->count; i++)
        if (!add_shader(r, i))
            return;
    if (!glslang_program_link(r->program, MESSAGES) || !glslang_program_map_io(r->program)) {
        refuse(glslang_program_get_info_log(r->program));
        return;
    }
    glslang_program_SPIRV_generate(r->program, r->stage);
    answer("spirv", glslang_program_SPIRV_get_ptr(r->program),
           glslang_program_SPIRV_get_size(r->program) * sizeof(unsigned int));
}

static void finish(struct request *r)
{
    glslang_program_delete(r->program);
    for (int i = 0; i < r->count; i++) {
        if (r->shaders[i])
            glslang_shader_delete(r->shaders[i]);
        free(r->texts[i]);
    }
}

int main(void)
{
    struct request request;
    glslang_initialize_process();
    while (read_request(&request)) {
        compile(&request);
        finish(&request);
    }
    glslang_finalize_process();
    return 0;
}
