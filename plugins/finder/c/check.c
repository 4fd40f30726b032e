/* Checks what assay_finder.h says of each function. A test of the repository compiles it and runs it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay_finder.h"

#define CHECK(condition)                                                                                              \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                                   \
            exit(EXIT_FAILURE);                                                                                       \
        }                                                                                                             \
    } while (0)

#define NONE ASSAY_FINDER_NONE

/* The positions that were visited, of which the first are kept. */
struct visited {
    size_t number;
    size_t first[8];
};

static void visit(size_t position, void *context) {
    struct visited *visited = context;
    if (visited->number < sizeof visited->first / sizeof *visited->first) {
        visited->first[visited->number] = position;
    }
    visited->number++;
}

static void occurrences_are_found(void) {
    char needle[] = "ana";
    const char *text = "bananas";
    assay_finder *finder = assay_finder_new(needle, 3);
    CHECK(finder != NULL);
    /* The needle was copied. */
    memset(needle, 'x', sizeof needle);
    CHECK(assay_finder_find(finder, text, 7) == 1);
    CHECK(assay_finder_rfind(finder, text, 7) == 3);
    CHECK(assay_finder_count(finder, text, 7) == 2);
    CHECK(assay_finder_find_from(finder, text, 7, 1) == 1);
    CHECK(assay_finder_find_from(finder, text, 7, 2) == 3);
    CHECK(assay_finder_find_from(finder, text, 7, 4) == NONE);
    CHECK(assay_finder_find_from(finder, text, 7, 7) == NONE);
    CHECK(assay_finder_find_from(finder, text, 7, 8) == NONE);
    CHECK(assay_finder_find_from(finder, text, 7, NONE) == NONE);
    CHECK(assay_finder_find(finder, text, 3) == NONE);
    CHECK(assay_finder_find(finder, text, 4) == 1);
    struct visited visited = {0};
    assay_finder_each(finder, text, 7, visit, &visited);
    CHECK(visited.number == 2 && visited.first[0] == 1 && visited.first[1] == 3);
    assay_finder_free(finder);
}

static void what_does_not_occur_is_not_found(void) {
    assay_finder *finder = assay_finder_new("an\0", 3);
    CHECK(finder != NULL);
    CHECK(assay_finder_find(finder, "bananas", 7) == NONE);
    CHECK(assay_finder_rfind(finder, "bananas", 7) == NONE);
    CHECK(assay_finder_count(finder, "bananas", 7) == 0);
    struct visited visited = {0};
    assay_finder_each(finder, "bananas", 7, visit, &visited);
    CHECK(visited.number == 0);
    CHECK(assay_finder_find(finder, "ban\0nas", 7) == 1);
    CHECK(assay_finder_find(finder, NULL, 0) == NONE);
    CHECK(assay_finder_rfind(finder, NULL, 0) == NONE);
    CHECK(assay_finder_count(finder, NULL, 0) == 0);
    CHECK(assay_finder_find_from(finder, NULL, 0, 0) == NONE);
    assay_finder_each(finder, NULL, 0, visit, &visited);
    CHECK(visited.number == 0);
    assay_finder_free(finder);
}

static void an_empty_needle_occurs_everywhere(void) {
    assay_finder *finder = assay_finder_new(NULL, 0);
    CHECK(finder != NULL);
    CHECK(assay_finder_find(finder, "abc", 3) == 0);
    CHECK(assay_finder_rfind(finder, "abc", 3) == 3);
    CHECK(assay_finder_count(finder, "abc", 3) == 4);
    CHECK(assay_finder_find_from(finder, "abc", 3, 3) == 3);
    CHECK(assay_finder_find_from(finder, "abc", 3, 4) == NONE);
    struct visited visited = {0};
    assay_finder_each(finder, "abc", 3, visit, &visited);
    CHECK(visited.number == 4 && visited.first[0] == 0 && visited.first[3] == 3);
    CHECK(assay_finder_find(finder, NULL, 0) == 0);
    CHECK(assay_finder_rfind(finder, NULL, 0) == 0);
    CHECK(assay_finder_count(finder, NULL, 0) == 1);
    assay_finder_free(finder);
    assay_finder_free(NULL);
}

/* Compares with the C library, in memory that ends where the text does. */
static void memmem_is_that_of_the_c_library(void) {
    const char *text = "bananas";
    CHECK(assay_finder_memmem(text, 7, "nas", 3) == text + 4);
    CHECK(assay_finder_memmem(text, 7, "nat", 3) == NULL);
    CHECK(assay_finder_memmem(text, 7, NULL, 0) == text);
    CHECK(assay_finder_memmem(NULL, 0, NULL, 0) == NULL);
    CHECK(assay_finder_memmem(NULL, 0, "a", 1) == NULL);
    unsigned state = 1;
    size_t found = 0;
    for (size_t length = 1; length < 3000; length += 1 + length / 9) {
        unsigned char *memory = malloc(length);
        CHECK(memory != NULL);
        for (size_t i = 0; i < length; i++) {
            state = state * 1103515245u + 12345u;
            memory[i] = "acgt"[state >> 16 & 3];
        }
        for (size_t needle_length = 1; needle_length <= length; needle_length += 1 + needle_length / 3) {
            unsigned char *needle = malloc(needle_length);
            CHECK(needle != NULL);
            memcpy(needle, memory + (length - needle_length), needle_length);
            for (int changed = 0; changed < 2; changed++) {
                void *expected = memmem(memory, length, needle, needle_length);
                CHECK(assay_finder_memmem(memory, length, needle, needle_length) == expected);
                found += expected != NULL;
                needle[needle_length / 2] ^= 'a' ^ 'c';
            }
            free(needle);
        }
        free(memory);
    }
    CHECK(found > 100);
}

/* More occurrences than are handed over at a time. */
static void many_occurrences_are_all_visited(void) {
    enum { LENGTH = 100000 };
    char *text = malloc(LENGTH);
    CHECK(text != NULL);
    memset(text, 'a', LENGTH);
    for (size_t m = 1; m < 300; m = 3 * m + 1) {
        assay_finder *finder = assay_finder_new(text, m);
        CHECK(finder != NULL);
        struct visited visited = {0};
        assay_finder_each(finder, text, LENGTH, visit, &visited);
        CHECK(visited.number == LENGTH - m + 1);
        CHECK(visited.first[0] == 0 && visited.first[7] == 7);
        CHECK(assay_finder_count(finder, text, LENGTH) == LENGTH - m + 1);
        CHECK(assay_finder_rfind(finder, text, LENGTH) == LENGTH - m);
        assay_finder_free(finder);
    }
    free(text);
}

int main(void) {
    occurrences_are_found();
    what_does_not_occur_is_not_found();
    an_empty_needle_occurs_everywhere();
    memmem_is_that_of_the_c_library();
    many_occurrences_are_all_visited();
    puts("all as the header says");
    return EXIT_SUCCESS;
}
