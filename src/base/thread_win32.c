#include "base/thread.h"

#include <assert.h>
#include <process.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static const uint64_t ns_per_second = 1000000000u;

_Static_assert(sizeof(SRWLOCK) == sizeof(wf_base_native_mutex), "");
_Static_assert(sizeof(CONDITION_VARIABLE) == sizeof(wf_base_native_cond), "");
_Static_assert(sizeof(INIT_ONCE) == sizeof(wf_base_native_once), "");

static SRWLOCK *lock_of(struct wf_base_mutex *mutex)
{
    return (SRWLOCK *)&mutex->native;
}

static CONDITION_VARIABLE *cond_of(struct wf_base_cond *cond)
{
    return (CONDITION_VARIABLE *)&cond->native;
}

bool wf_base_mutex_init(struct wf_base_mutex *mutex)
{
    InitializeSRWLock(lock_of(mutex));
    return true;
}

void wf_base_mutex_finish(struct wf_base_mutex *mutex)
{
    (void)mutex; // nothing was taken
}

void wf_base_mutex_lock(struct wf_base_mutex *mutex)
{
    AcquireSRWLockExclusive(lock_of(mutex));
}

void wf_base_mutex_unlock(struct wf_base_mutex *mutex)
{
    ReleaseSRWLockExclusive(lock_of(mutex));
}

void wf_base_thread_pause(void)
{
    Sleep(1); // the shortest there is
}

bool wf_base_cond_init(struct wf_base_cond *cond)
{
    InitializeConditionVariable(cond_of(cond));
    return true;
}

void wf_base_cond_finish(struct wf_base_cond *cond)
{
    (void)cond;
}

void wf_base_cond_wait(struct wf_base_cond *cond, struct wf_base_mutex *mutex)
{
    (void)SleepConditionVariableSRW(cond_of(cond), lock_of(mutex), INFINITE, 0);
}

bool wf_base_cond_wait_until(struct wf_base_cond *cond, struct wf_base_mutex *mutex,
                             uint64_t deadline_ns)
{
    if (deadline_ns == UINT64_MAX) {
        wf_base_cond_wait(cond, mutex);
        return true;
    }
    const uint64_t now = wf_base_clock_ns();
    if (now >= deadline_ns)
        return false;
    const uint64_t ms = (deadline_ns - now + 999999) / 1000000;
    const DWORD wait = ms < INFINITE ? (DWORD)ms : INFINITE - 1;
    return SleepConditionVariableSRW(cond_of(cond), lock_of(mutex), wait, 0) ||
           wf_base_clock_ns() < deadline_ns;
}

void wf_base_cond_signal(struct wf_base_cond *cond)
{
    WakeConditionVariable(cond_of(cond));
}

void wf_base_cond_broadcast(struct wf_base_cond *cond)
{
    WakeAllConditionVariable(cond_of(cond));
}

static unsigned __stdcall thread_main(void *arg)
{
    struct wf_base_thread *thread = arg;
    thread->fn(thread->user);
    return 0;
}

bool wf_base_thread_start(struct wf_base_thread *thread, const char *name, void (*fn)(void *user),
                          void *user)
{
    *thread = (struct wf_base_thread){.fn = fn, .user = user};
    for (size_t i = 0; name && name[i] && i + 1 < sizeof thread->name; i++)
        thread->name[i] = name[i];
    thread->native = (HANDLE)_beginthreadex(NULL, 0, thread_main, thread, 0, NULL);
    return thread->native != NULL;
}

void wf_base_thread_join(struct wf_base_thread *thread)
{
    const DWORD result = WaitForSingleObject(thread->native, INFINITE);
    assert(result == WAIT_OBJECT_0);
    (void)result;
    (void)CloseHandle(thread->native);
}

static BOOL CALLBACK run_once(INIT_ONCE *once, void *fn, void **context)
{
    (void)once, (void)context;
    (*(void (**)(void))fn)();
    return TRUE;
}

void wf_base_once(struct wf_base_once *once, void (*fn)(void))
{
    (void)InitOnceExecuteOnce((INIT_ONCE *)&once->native, run_once, &fn, NULL);
}

void wf_base_thread_yield(void)
{
    (void)SwitchToThread();
}

uint64_t wf_base_clock_ns(void)
{
    LARGE_INTEGER count, rate; // neither fails since Windows XP
    (void)QueryPerformanceFrequency(&rate);
    (void)QueryPerformanceCounter(&count);
    const uint64_t ticks = (uint64_t)count.QuadPart, per_second = (uint64_t)rate.QuadPart;
    return ticks / per_second * ns_per_second + ticks % per_second * ns_per_second / per_second;
}
