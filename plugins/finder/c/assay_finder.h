/*
 * Exact search for one string of bytes, the needle, in another, the haystack.
 *
 * assay_finder_new copies a needle that is searched for more than once; assay_finder_memmem searches once.
 * Both use the widest registers that the CPU has. The environment variable ASSAY_FINDER, read at the first
 * call, limits them: plain, sse2, avx2, avx512 or avx512-planes.
 *
 * Rules for all functions:
 *
 * - Strings may hold any bytes, including zero bytes, and need no alignment. Lengths are numbers of bytes.
 * - A haystack or needle may be NULL if its length is 0. With another length it must point to as many bytes
 *   that can be read. No byte outside of them is read.
 * - An empty needle occurs everywhere: before each byte, and after the last one.
 * - Positions are offsets from the haystack's first byte. ASSAY_FINDER_NONE is returned where there is no
 *   occurrence.
 * - Searches take time that is linear in the lengths, whatever the strings hold.
 * - Several threads may search for one prepared needle at the same time.
 * - No function sets errno, and none but assay_finder_new allocates memory. The exception is the first call
 *   of any function: it reads ASSAY_FINDER, and allocates a copy of its value if it is set.
 * - A search needs up to 40 KiB of stack if the needle has 40 bytes or more, else less than 8 KiB.
 * - No exception leaves a function. A fault of this library ends the process by abort().
 *
 * Link with libassay_finder.a or libassay_finder.so. With a glibc before version 2.34, the static library
 * also needs -lpthread -ldl -lm.
 */
#ifndef ASSAY_FINDER_H
#define ASSAY_FINDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A copied needle. */
typedef struct assay_finder assay_finder;

/* The position that stands for no occurrence. No haystack is that long. */
#define ASSAY_FINDER_NONE ((size_t)-1)

/*
 * Prepares a needle. It is copied, so it may change or vanish afterwards. Returns NULL if there is no memory
 * left; otherwise free the result with assay_finder_free. Of the other functions, only that one accepts NULL.
 */
assay_finder *assay_finder_new(const void *needle, size_t needle_length);

/* Frees a prepared needle. Does nothing for NULL. */
void assay_finder_free(assay_finder *finder);

/* Returns the position of the first occurrence. */
size_t assay_finder_find(const assay_finder *finder, const void *haystack, size_t haystack_length);

/*
 * Returns the position of the first occurrence that begins at `from` or after it; none if `from` is greater
 * than the length. To find all occurrences, continue at position + 1. To find those that do not overlap,
 * continue at position + needle_length, or at position + 1 if the needle is empty.
 */
size_t assay_finder_find_from(const assay_finder *finder, const void *haystack, size_t haystack_length, size_t from);

/* Returns the position of the last occurrence. */
size_t assay_finder_rfind(const assay_finder *finder, const void *haystack, size_t haystack_length);

/* Returns the number of occurrences. Occurrences that overlap all count. */
uint64_t assay_finder_count(const assay_finder *finder, const void *haystack, size_t haystack_length);

/*
 * Calls `visit` with the position of each occurrence, in ascending order, and with `context`. Occurrences
 * that overlap are all visited. `visit` must return: it must not call longjmp() or throw an exception. If
 * there are many occurrences, this takes less time than a loop with assay_finder_find_from.
 */
void assay_finder_each(const assay_finder *finder, const void *haystack, size_t haystack_length,
                       void (*visit)(size_t position, void *context), void *context);

/*
 * Returns where the needle occurs first in the haystack, or NULL: the function memmem() of glibc and BSD. For
 * an empty needle it returns the haystack, which is NULL if the haystack is.
 */
void *assay_finder_memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);

#ifdef __cplusplus
}
#endif

#endif
