// Breakpoints at the basic blocks of a loaded library: each is removed when it is reached first (see blocks.py).
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

static uint8_t *text;        // as it is loaded
static const uint8_t *plain; // a copy without breakpoints
static uint8_t *state;       // of each byte: 0, or 1 for the first one of a block, 2 once it was reached
static size_t length;
static struct sigaction before;

static void reached(int number, siginfo_t *info, void *context) {
    greg_t *next = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    size_t at = (size_t)((uint8_t *)*next - 1 - text);
    if (at >= length || !state[at]) { // not a breakpoint of ours
        sigaction(SIGTRAP, &before, 0);
        return;
    }
    state[at] = 2;
    text[at] = plain[at];
    --*next;
}

int blocks_start(uint8_t *loaded, const uint8_t *copy, uint8_t *states, size_t bytes) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = reached;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    uintptr_t page = (uintptr_t)loaded & ~(uintptr_t)4095;
    text = loaded, plain = copy, state = states, length = bytes;
    if (mprotect((void *)page, (uintptr_t)loaded + bytes - page, PROT_READ | PROT_WRITE | PROT_EXEC))
        return -1;
    return sigaction(SIGTRAP, &action, &before);
}

void blocks_set(void) {
    for (size_t at = 0; at < length; at++)
        if (state[at] == 1)
            text[at] = 0xcc;
}

void blocks_end(void) {
    memcpy(text, plain, length);
}
