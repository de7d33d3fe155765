#include "base/thread.h"

enum { BRIEF = 32 }; ///< Tries before it sleeps in between.

bool wf_base_latch_init(struct wf_base_latch *latch)
{
    atomic_init(&latch->held, false);
    return wf_base_mutex_init(&latch->waiting);
}

void wf_base_latch_finish(struct wf_base_latch *latch)
{
    wf_base_mutex_finish(&latch->waiting);
}

void wf_base_latch_wait(struct wf_base_latch *latch)
{
    wf_base_mutex_lock(&latch->waiting);
    for (int tries = 0; atomic_exchange_explicit(&latch->held, true, memory_order_acquire);
         ++tries) {
        if (tries < BRIEF)
            wf_base_thread_yield();
        else
            wf_base_thread_pause();
    }
    wf_base_mutex_unlock(&latch->waiting);
}
