/*
 * Preloaded into PostgreSQL, so that its disk fails when a test wants it to. While the file that DISK_FAULT_FILE names
 * begins with 'f' the disk is full, with 's' nothing can be synced, without it all is well. Only what is called by name is
 * reached, which is how PostgreSQL calls them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char fault(void) {
    const char *file = getenv("DISK_FAULT_FILE");
    if (!file) return 0;
    int control = open(file, O_RDONLY | O_CLOEXEC);
    if (control < 0) return 0;
    char kind = 0;
    if (syscall(SYS_read, control, &kind, 1) != 1) kind = 0;
    close(control);
    return kind;
}

/* Pipes and sockets are no disk. */
static int is_full(int fd) {
    if (fault() != 'f') return 0;
    struct stat about;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
    errno = ENOSPC;
    return 1;
}

static int is_unsynced(void) {
    if (fault() != 's') return 0;
    errno = EIO;
    return 1;
}

#define NEXT(name) __typeof__(name) *next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *bytes, size_t count) {
    NEXT(write);
    return is_full(fd) ? -1 : next(fd, bytes, count);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    NEXT(pwrite);
    return is_full(fd) ? -1 : next(fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    NEXT(pwrite64);
    return is_full(fd) ? -1 : next(fd, bytes, count, at);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
    NEXT(pwritev);
    return is_full(fd) ? -1 : next(fd, parts, count, at);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
    NEXT(pwritev64);
    return is_full(fd) ? -1 : next(fd, parts, count, at);
}
int posix_fallocate(int fd, off_t at, off_t count) {
    NEXT(posix_fallocate);
    return is_full(fd) ? ENOSPC : next(fd, at, count);
}
int posix_fallocate64(int fd, off64_t at, off64_t count) {
    NEXT(posix_fallocate64);
    return is_full(fd) ? ENOSPC : next(fd, at, count);
}
int fsync(int fd) {
    NEXT(fsync);
    return is_unsynced() ? -1 : next(fd);
}
int fdatasync(int fd) {
    NEXT(fdatasync);
    return is_unsynced() ? -1 : next(fd);
}
