/* What file dialogs show, the same on every computer (a part of clock.so, for LD_PRELOAD).
 *
 * How much room there is: what a program is told here is the size of a disk that does not exist; who
 * writes more than the real one holds still gets ENOSPC. How old files are: the kernel writes its own
 * time to them, which is that of neither the desktop nor another computer.
 */
#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#define WHOLE_BYTES (UINT64_C(64) << 30)
#define FREE_BYTES (UINT64_C(32) << 30)
#define NEWEST_SEC INT64_C(1767258000) /* 1 January 2026, 9:00 UTC, when the desktop's clock starts */

/* Ask as the caller would have, and put the sizes that do not exist in the place of the real ones. */
#define SAME_EVERYWHERE(call, path, disk, unit)                                                    \
    do {                                                                                           \
        __typeof__(&(call)) real = (__typeof__(&(call)))dlsym(RTLD_NEXT, #call);                   \
        if (!real) {                                                                               \
            errno = ENOSYS;                                                                        \
            return -1;                                                                             \
        }                                                                                          \
        int failed = real(path, disk);                                                             \
        if (failed == 0 && (disk)->unit > 0) {                                                     \
            (disk)->f_blocks = WHOLE_BYTES / (uint64_t)(disk)->unit;                               \
            (disk)->f_bfree = (disk)->f_bavail = FREE_BYTES / (uint64_t)(disk)->unit;              \
        }                                                                                          \
        return failed;                                                                             \
    } while (0)

int statfs(const char *path, struct statfs *disk)
{
    SAME_EVERYWHERE(statfs, path, disk, f_bsize);
}

int statfs64(const char *path, struct statfs64 *disk)
{
    SAME_EVERYWHERE(statfs64, path, disk, f_bsize);
}

int statvfs(const char *path, struct statvfs *disk)
{
    SAME_EVERYWHERE(statvfs, path, disk, f_frsize);
}

int statvfs64(const char *path, struct statvfs64 *disk)
{
    SAME_EVERYWHERE(statvfs64, path, disk, f_frsize);
}

static void not_newer(struct statx_timestamp *time)
{
    if (time->tv_sec >= NEWEST_SEC)
        *time = (struct statx_timestamp){.tv_sec = NEWEST_SEC};
}

/* GLib asks in this way, for file dialogs. Whoever wants to know whether a file has changed (caches of
 * fonts, the application of its document) asks by stat, and is told the truth. */
int statx(int folder, const char *restrict path, int flags, unsigned int mask,
          struct statx *restrict found)
{
    __typeof__(&statx) real = (__typeof__(&statx))dlsym(RTLD_NEXT, "statx");
    if (!real) {
        errno = ENOSYS;
        return -1;
    }
    int failed = real(folder, path, flags, mask, found);
    if (failed == 0) {
        not_newer(&found->stx_atime);
        not_newer(&found->stx_btime);
        not_newer(&found->stx_ctime);
        not_newer(&found->stx_mtime);
    }
    return failed;
}
