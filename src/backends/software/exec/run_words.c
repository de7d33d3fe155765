// Operations on words alone: once for every instruction set, one lane at a time.
#define WF_SW_BYTES 4

#include "backends/software/exec/run.h"
#include "backends/software/exec/vector.h"

#define TAKE_F(word) v_float(word)
#define TAKE_U(word) (word)
#define TAKE_I(word) ((int32_t)(word))
#define GIVE_F(v)    v_bits(v)
#define GIVE_U(v)    (v)

// The macros use locals, as those of run_loop.inc do, and for the same reason.
#define OPERAND(A, x) const v_##A x = TAKE_##A(words[ip->x]);
#define WF_UN(name, R, A, expression)                                                              \
    case WF_SW_OP_##name##_WORDS: {                                                                \
        OPERAND(A, a)                                                                              \
        words[ip->d] = GIVE_##R(expression);                                                       \
        break;                                                                                     \
    }
#define WF_BIN(name, R, A, expression)                                                             \
    case WF_SW_OP_##name##_WORDS: {                                                                \
        OPERAND(A, a)                                                                              \
        OPERAND(A, b)                                                                              \
        words[ip->d] = GIVE_##R(expression);                                                       \
        break;                                                                                     \
    }
#define WF_COM WF_BIN
#define WF_TER(name, R, A, expression)                                                             \
    case WF_SW_OP_##name##_WORDS: {                                                                \
        OPERAND(A, a)                                                                              \
        OPERAND(A, b)                                                                              \
        OPERAND(A, c)                                                                              \
        words[ip->d] = GIVE_##R(expression);                                                       \
        break;                                                                                     \
    }
#define WF_FEW WF_TER

// NOLINTNEXTLINE(readability-function-size): one flat dispatch
const struct wf_sw_code *wf_sw_run_words(uint32_t *words, const struct wf_sw_code *ip)
{
    for (;; ip++) {
        switch (ip->op) {
#include "backends/software/exec/ops.def"
        case WF_SW_OP_MOVE_WORD:
            words[ip->d] = words[ip->a];
            break;
        default:
            return ip;
        }
    }
}
