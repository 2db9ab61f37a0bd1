/* How full the disks are, the same on every computer (a part of clock.so, for LD_PRELOAD).
 *
 * File dialogs show how much room there is. What a program is told here is the size of a disk that
 * does not exist; who writes more than the real one holds still gets ENOSPC.
 */
#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#define WHOLE_BYTES (UINT64_C(64) << 30)
#define FREE_BYTES (UINT64_C(32) << 30)

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
