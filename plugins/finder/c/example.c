/* Finds "ana" in "bananas". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay_finder.h"

static void print(size_t position, void *context) {
    (void)context;
    printf("ana at %zu\n", position);
}

int main(void) {
    const char *text = "bananas";
    assay_finder *finder = assay_finder_new("ana", 3);
    if (finder == NULL) {
        return EXIT_FAILURE;
    }
    assay_finder_each(finder, text, strlen(text), print, NULL);
    assay_finder_free(finder);
    printf("nas: %s\n", (char *)assay_finder_memmem(text, strlen(text), "nas", 3));
    return EXIT_SUCCESS;
}
