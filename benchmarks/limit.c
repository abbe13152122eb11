/* The unavoidable arithmetic of one round, and nothing else.
 *
 * A yardstick for the engine: how long this machine needs for the work that no
 * implementation of a round can skip. No bandit, no loss, no bookkeeping.
 *
 *   features  project x on D frequencies (shared by all widths), D sine/cosine pairs,
 *             one dot product and one clipped update over 2D weights
 *   exact     squared distances to the n support vectors of one kernel, n exponentials,
 *             one dot product; distances come from a blocked product as in a batch
 *
 * build: cc -O3 -march=native -ffast-math limit.c -o limit -lm
 * run:   ./limit features T d D        ./limit exact T d
 * It prints microseconds per round, the best of 5.
 *
 * Sines, cosines and exponentials are written without conversions to integers, so that they vectorise on machines
 * with AVX2 only; there, that is two to three times faster than with conversions.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 8, TILE = 32 };

/* out[r][j] = sum_k A[r][k] * B[k][j] for ROWS rows and columns [0, n): accumulators stay in registers */
static void product(const double *restrict A, int d, const double *restrict B, size_t ldb, double *restrict out, size_t ldo, int n) {
    for (int j0 = 0; j0 < n; j0 += TILE)
        for (int r0 = 0; r0 < ROWS; r0 += 4) {
            double acc[4][TILE] = {{0}};
            int w = n - j0 < TILE ? n - j0 : TILE;
            if (w == TILE)
                for (int k = 0; k < d; k++)
                    for (int r = 0; r < 4; r++)
                        for (int j = 0; j < TILE; j++) acc[r][j] += A[(size_t)(r0 + r) * d + k] * B[k * ldb + j0 + j];
            else
                for (int k = 0; k < d; k++)
                    for (int r = 0; r < 4; r++)
                        for (int j = 0; j < w; j++) acc[r][j] += A[(size_t)(r0 + r) * d + k] * B[k * ldb + j0 + j];
            for (int r = 0; r < 4; r++) memcpy(out + (r0 + r) * ldo + j0, acc[r], sizeof(double) * w);
        }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double *randoms(size_t n) {
    double *a = aligned_alloc(64, (n * sizeof *a + 63) / 64 * 64);
    for (size_t i = 0; i < n; i++) a[i] = 2.0 * rand() / RAND_MAX - 1;
    return a;
}

static inline void sincos_pair(double x, double *s, double *c) {
    double n = rint(x * 0.6366197723675814);
    double r = x - n * 1.5707963267341256 - n * 6.0771005065061922e-11, z = r * r;
    double a = r + r * z * (-1.66666666666666307e-1 + z * (8.33333333332211859e-3 + z * (-1.98412698295895386e-4
             + z * (2.75573136213857245e-6 + z * (-2.50507477628578073e-8 + z * 1.58962301576546568e-10)))));
    double b = 1 - 0.5 * z + z * z * (4.16666666666665929e-2 + z * (-1.38888888888730564e-3 + z * (2.48015872888517045e-5
             + z * (-2.75573141792967388e-7 + z * (2.08757008419747317e-9 - z * 1.13585365213876817e-11)))));
    /* the quadrant by comparisons of doubles: without AVX-512 a conversion to integers would not vectorise */
    double half = 0.5 * n, whole = floor(half), quarter = 0.5 * whole;
    int odd = half != whole, lower = quarter != floor(quarter);
    double ss = odd ? b : a, cc = odd ? a : b;
    *s = lower ? -ss : ss;
    *c = lower != odd ? -cc : cc;
}

static double features(int T, int d, int D) {
    double *X = randoms((size_t)T * d), *u = randoms((size_t)d * D), *w = randoms(2 * D), *z = randoms(2 * D);
    double *P = randoms((size_t)ROWS * D), best = 1e9, sink = 0, lim = 1 / sqrt(D);
    for (int rep = 0; rep < 5; rep++) {
        double t0 = now();
        for (int b = 0; b + ROWS <= T; b += ROWS) {
            product(X + (size_t)b * d, d, u, D, P, D, D);
            for (int r = 0; r < ROWS; r++) {
                double f = 0;
                for (int j = 0; j < D; j++) sincos_pair(P[r * D + j] * 2, &z[j], &z[D + j]);
                for (int j = 0; j < 2 * D; j++) f += w[j] * z[j];
                for (int j = 0; j < 2 * D; j++) w[j] = fmin(fmax(w[j] - 0.01 * f * z[j], -lim), lim);
                sink += f;
            }
        }
        double dt = (now() - t0) / (T / ROWS * ROWS);
        if (dt < best) best = dt;
    }
    if (sink == 42) puts("");
    return best;
}

static inline double vexp(double x) {
    double n = rint(x * 1.4426950408889634), r = x - n * 0.693147180369123816 - n * 1.90821492927058770e-10;
    double p = 1 + r * (1 + r * (1. / 2 + r * (1. / 6 + r * (1. / 24 + r * (1. / 120 + r * (1. / 720 + r * (1. / 5040
             + r * (1. / 40320 + r * (1. / 362880 + r * (1. / 3628800))))))))));
    union { double d; unsigned long i; } two = { n + (6755399441055744.0 + 1023) }; /* n + 1023 in the low bits */
    two.i <<= 52;
    return p * two.d;
}

static double exact(int T, int d) {
    double *X = randoms((size_t)T * d), *c = randoms(T), *sq = randoms(T);
    double *G = randoms((size_t)ROWS * T), best = 1e9, sink = 0;
    for (int rep = 0; rep < 2; rep++) {
        double *XT = randoms((size_t)d * T); /* column major, so that support vectors are the fast axis */
        double t0 = now();
        for (int b = 0; b + ROWS <= T; b += ROWS) {
            int n = b + ROWS;
            product(X + (size_t)b * d, d, XT, T, G, T, n);
            for (int r = 0; r < ROWS; r++) {
                double f = 0, *g = G + (size_t)r * T;
                for (int j = 0; j < b + r; j++) f += c[j] * vexp(-0.5 * fabs(sq[j] - 2 * g[j]));
                sink += f;
            }
        }
        free(XT);
        double dt = (now() - t0) / T;
        if (dt < best) best = dt;
    }
    if (sink == 42) puts("");
    return best;
}

int main(int argc, char **argv) {
    if (argc == 5 && !strcmp(argv[1], "features")) printf("%.4f\n", 1e6 * features(atoi(argv[2]), atoi(argv[3]), atoi(argv[4])));
    else if (argc == 4 && !strcmp(argv[1], "exact")) printf("%.4f\n", 1e6 * exact(atoi(argv[2]), atoi(argv[3])));
    else return fprintf(stderr, "usage: limit features T d D | limit exact T d\n"), 2;
    return 0;
}
