/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes with coarrays on devices, each by its number: the program ends with a message. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
int a[8] : [*], flag : [*];
xmp_lock_t l : [*];
int b[8];
int g(int* p) {
    return p != 0;
}
int main(int argc, char** argv) {
    int const what = argc > 1 ? atoi(argv[1]) : 0, me = xmpc_this_image();
    int other = (me + 1) % xmp_num_images(), n = 3, x;
    if ((what != 1 && what != 7) || me != 1) {
#pragma acc enter data copyin(a)
    }
#pragma acc enter data copyin(b, flag)
    xmp_sync_all(NULL);
    switch (what) {
    case 1:
        if (me == 0) {
#pragma acc host_data use_device(a)
            x = a[2] : [other];
            printf("%d\n", x);
        }
        break;
    case 2:
        if (me == 0) {
#pragma acc host_data use_device(a, b)
            a [0:n] : [other] = b [0:n + 1];
        }
        break;
    case 3:
#pragma acc host_data use_device(flag)
        xmp_atomic_define(flag : [other], 3);
        break;
    case 4:
#pragma acc host_data use_device(a)
        g(&a[1] : [other]);
        break;
    case 5:
        if (me == 0) {
#pragma acc host_data use_device(a, b)
            a [0:n] : [other + 7] = b [0:n];
        }
        break;
    case 7: // what was put shows later
        if (me == 0) {
#pragma acc host_data use_device(a)
            a[2] : [other] = n;
            xmp_sync_memory(NULL);
        }
        break;
    case 6:
        if (me == 0) {
#pragma acc host_data use_device(a, b)
            a [6:n] : [other] = b [0:n];
            xmp_sync_memory(NULL);
        }
        break;
    }
    xmp_sync_all(NULL);
    return 0;
}
