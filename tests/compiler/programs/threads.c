/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that ranks share, and whose parts their threads share: the directive of OpenMP above and below. */
#include <omp.h>
#include <stdio.h>
#include <xmp.h>

#define N 400
#pragma xmp nodes :: p[*]
#pragma xmp template :: t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[block(N)] onto p
#pragma xmp template d[N]
#pragma xmp distribute d[cyclic] onto p
#pragma xmp template g[N + 2]
#pragma xmp distribute g[cyclic(3)] onto p
double a[N], b[N], e[N], f[N];
#pragma xmp align f[i] with g[i + 2]
#pragma xmp align e[i] with d[i]
#pragma xmp align [i] with t[i] :: a, b
#pragma xmp shadow b[1]
long counted, listed;
#pragma xmp coarray counted, listed : [*]

int main(void) {
    omp_set_num_threads(2);
    double sum = 0, least = 1e9;
    int threads = 0;
#pragma xmp loop on t[i]
#pragma omp parallel for
    for (int i = 0; i < N; i++) b[i] = i;
#pragma xmp reflect (b)
    // The two lines change places.
#pragma omp parallel for reduction(+ : sum) reduction(max : threads)
#pragma xmp loop on t[i] reduction(+:sum) reduction(max:threads)
    for (int i = 1; i < N - 1; i++) {
        a[i] = b[i - 1] + b[i + 1];
        sum += a[i];
        threads = omp_get_num_threads();
    }
#pragma omp parallel for reduction(min : least)
#pragma xmp loop on t[i] reduction(min:least)
    for (int i = N - 2; i > 0; i--)
        if (a[i] < least) least = a[i];
    // The clause does the same.
    double product = 1, again = 0;
#pragma xmp loop on t[i] reduction(+ : again) reduction(* : product) threads[num_threads(2) schedule(static)]
    for (int i = 1; i < N - 1; i++) {
        again += a[i];
        product *= i == 7 ? 3 : 1;
    }
    int many = 0;
    // As the specification writes it.
    double triple = 0, factor = 3;
#pragma xmp loop on t[i] reduction(+ : triple) threads num_threads(2) firstprivate(factor)
    for (int i = 1; i < N - 1; i++) triple += factor * a[i];
#pragma xmp loop on c[i] threads
    for (int i = 0; i < 2; i++) many = omp_get_num_threads();
#ifndef _XCALABLEMP
    many = 2; // nobody reads the clause
#endif
    if (again != sum || product != 3 || triple != 3 * sum || (many != 2 && xmp_node_num() == 1)) {
        printf("node %d of %d: sum %g, product %g, threads %d\n", xmp_node_num(), xmp_num_nodes(), again, product, many);
        return 1;
    }
    // Single indices: the step is the number of nodes.
    double up = 0, down = 0;
#pragma xmp loop on d[i]
#pragma omp parallel for
    for (int i = 0; i < N; i++) e[i] = i;
#pragma omp parallel for reduction(+ : up)
#pragma xmp loop on d[i] reduction(+ : up)
    for (int i = 3; i < N; i += 1) up += e[i];
#pragma xmp loop on d[i] reduction(+ : down)
#pragma omp parallel for reduction(+ : down)
    for (int i = N - 1; i >= 3; i--) down += e[i];
    if (up != (double)N * (N - 1) / 2 - 3 || down != up) {
        printf("node %d of %d: up %g, down %g\n", xmp_node_num(), xmp_num_nodes(), up, down);
        return 1;
    }
    // Blocks in turn: threads share the numbers of this rank's iterations.
    double turned = 0, back = 0;
#pragma omp parallel for
#pragma xmp loop on g[i + 2]
    for (int i = 0; i < N; i++) f[i] = i == 7 ? -1 : i;
#pragma xmp loop on g[i + 2] reduction(+ : turned)
#pragma omp parallel for reduction(+ : turned)
    for (int i = 5; i < N - 2; i++) {
        if (i == 6) continue;
        turned += f[i];
    }
    int k;
#pragma xmp loop(k) on g[k + 2] reduction(+ : back) threads
    for (k = N - 3; k >= 5; k--) back += f[k];
#pragma xmp loop on g[i] threads reduction(+ : many)
    for (int i = 3; i < 3; i++) many++;
    if (turned != (double)(N - 3) * (N - 2) / 2 - 10 - 6 - 8 || back != turned + 6) {
        printf("node %d of %d: turned %g, back %g\n", xmp_node_num(), xmp_num_nodes(), turned, back);
        return 1;
    }
    // Threads combine copies of coarrays.
    counted = 5, listed = 7;
#pragma xmp loop on t[i] reduction(+ : counted) threads num_threads(2)
    for (int i = 0; i < N; i++) counted += i;
#pragma xmp loop on d[i] reduction(+ : listed, counted)
#pragma omp parallel for reduction(+ : listed, counted)
    for (int i = 0; i < N; i++) {
        if (i == 3) continue;
        listed += i, counted -= i;
    }
#pragma omp parallel for reduction(+ : listed) schedule(static)
#pragma xmp loop on t[i] reduction(+ : listed)
    for (int i = 0; i < N; i++) listed += 2;
    if (counted != 8 || listed != 7 + N * (N - 1) / 2 - 3 + 2 * N) {
        printf("node %d of %d: counted %ld, listed %ld\n", xmp_node_num(), xmp_num_nodes(), counted, listed);
        return 1;
    }
    if (sum != (double)(N - 2) * (N - 1) || threads != 2 || least != 2) {
        printf("node %d of %d: sum %g, threads %d, least %g\n", xmp_node_num(), xmp_num_nodes(), sum, threads, least);
        return 1;
    }
    return 0;
}
