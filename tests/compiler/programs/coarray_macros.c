/* SPDX-License-Identifier: Apache-2.0 */
/* Coarrays and other images in arguments of macros, which may have them several times. */
#include <stdio.h>
#include <xmp.h>

static int failures;

static void expect(int ok, int line) {
    if (!ok) {
        printf("node %d of %d: line %d\n", xmp_all_node_num(), xmp_all_num_nodes(), line);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

int x:[*], v[4]:[*];
#define ADD(a, b) ((a) + (b))
#define MAXX(a, b) ((a) > (b) ? (a) : (b))
#define THREE(a) ((a) + (a) + (a))

int main(void) {
    int me = xmpc_this_image(), n = xmp_num_images(), r = (me + 1) % n;
    x = me + 5; v[1] = 3 * me; v[2] = 1;
    xmp_sync_all(NULL);
    EXPECT(ADD(x:[r], v[1]:[r]) == r + 5 + 3 * r); EXPECT(MAXX(x:[r], x) == (r > me ? r : me) + 5); EXPECT(THREE(v[1 + 0]:[r]) == 9 * r); EXPECT(THREE(x) == 3 * me + 15);
    EXPECT(THREE(v[v[2]]:[r]) == 9 * r);
    xmp_sync_all(NULL);

    return failures != 0;
}
