/* Fails the Nth call of a function on files below a folder.
 *
 * FAIL_BELOW: the folder. FAIL_PLAN: a file that holds a `struct plan`; who runs the program may change it between two
 * commands of one process. It also counts the calls of all processes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static const char *const kinds[] = {"fsync", "rename", "truncate", "mkdir", "unlink", "write", "open", "read", "mmap", "link"};
#define KINDS (sizeof kinds / sizeof *kinds)

static struct plan {
    long kind;                /* place in `kinds` of what fails; -1: nothing */
    long nth;                 /* the call of it that fails, from 1 */
    long number;              /* errno of the failure */
    atomic_long seen[KINDS];  /* calls of each kind so far */
} none = {.kind = -1}, *plan = &none;
static const char *below;
static size_t below_length;

__attribute__((constructor)) static void begin(void) {
    below = getenv("FAIL_BELOW");
    below_length = below ? strlen(below) : 0;
    const char *text = getenv("FAIL_PLAN");
    int file = text ? (int)syscall(SYS_openat, AT_FDCWD, text, O_RDWR) : -1;
    if (file < 0) return;
    void *shared = (void *)syscall(SYS_mmap, NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) plan = shared;
    syscall(SYS_close, file);
}

/* Counts a call, and says whether it fails. */
static int is_due(const char *name) {
    size_t kind = 0;
    while (strcmp(kinds[kind], name)) kind++;
    return atomic_fetch_add(&plan->seen[kind], 1) + 1 == plan->nth && (long)kind == plan->kind;
}

static int is_below(const char *path) {
    char full[PATH_MAX];
    if (!path || !below) return 0;
    if (path[0] != '/') {
        if (!getcwd(full, sizeof full)) return 0;
        size_t used = strlen(full);
        snprintf(full + used, sizeof full - used, "/%s", path);
        path = full;
    }
    return !strncmp(path, below, below_length);
}

static int is_file_below(int file) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return path[0] == '/' && is_below(path); /* else a pipe or an event, by which threads wake each other */
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define OF_PATH(path, kind) \
    if (is_below(path) && is_due(kind)) { errno = (int)plan->number; return -1; }
#define OF_FILE(file, kind) \
    if (is_file_below(file) && is_due(kind)) { errno = (int)plan->number; return -1; }

#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
        REAL(name); OF_PATH(path, "open"); return real(path, flags, mode); }
OPENS(open)
OPENS(open64)
#define OPENS_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
        REAL(name); OF_PATH(path, "open"); return real(folder, path, flags, mode); }
OPENS_AT(openat)
OPENS_AT(openat64)
ssize_t read(int file, void *to, size_t size) { REAL(read); OF_FILE(file, "read"); return real(file, to, size); }
ssize_t pread(int file, void *to, size_t size, off_t at) { REAL(pread); OF_FILE(file, "read"); return real(file, to, size, at); }
ssize_t pread64(int file, void *to, size_t size, off64_t at) { REAL(pread64); OF_FILE(file, "read"); return real(file, to, size, at); }
ssize_t write(int file, const void *from, size_t size) { REAL(write); OF_FILE(file, "write"); return real(file, from, size); }
ssize_t pwrite(int file, const void *from, size_t size, off_t at) { REAL(pwrite); OF_FILE(file, "write"); return real(file, from, size, at); }
ssize_t pwrite64(int file, const void *from, size_t size, off64_t at) { REAL(pwrite64); OF_FILE(file, "write"); return real(file, from, size, at); }
int fsync(int file) { REAL(fsync); OF_FILE(file, "fsync"); return real(file); }
int fdatasync(int file) { REAL(fdatasync); OF_FILE(file, "fsync"); return real(file); }
int ftruncate(int file, off_t size) { REAL(ftruncate); OF_FILE(file, "truncate"); return real(file, size); }
int ftruncate64(int file, off64_t size) { REAL(ftruncate64); OF_FILE(file, "truncate"); return real(file, size); }
int rename(const char *from, const char *to) { REAL(rename); OF_PATH(to, "rename"); return real(from, to); }
int renameat(int a, const char *from, int b, const char *to) { REAL(renameat); OF_PATH(to, "rename"); return real(a, from, b, to); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) { REAL(renameat2); OF_PATH(to, "rename"); return real(a, from, b, to, flags); }
int link(const char *from, const char *to) { REAL(link); OF_PATH(to, "link"); return real(from, to); }
int mkdir(const char *path, mode_t mode) { REAL(mkdir); OF_PATH(path, "mkdir"); return real(path, mode); }
int unlink(const char *path) { REAL(unlink); OF_PATH(path, "unlink"); return real(path); }
int rmdir(const char *path) { REAL(rmdir); OF_PATH(path, "unlink"); return real(path); }
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    REAL(mmap);
    if (file >= 0 && is_file_below(file) && is_due("mmap")) { errno = (int)plan->number; return MAP_FAILED; }
    return real(at, size, protection, flags, file, offset);
}
void *mmap64(void *at, size_t size, int protection, int flags, int file, off64_t offset) {
    REAL(mmap64);
    if (file >= 0 && is_file_below(file) && is_due("mmap")) { errno = (int)plan->number; return MAP_FAILED; }
    return real(at, size, protection, flags, file, offset);
}
