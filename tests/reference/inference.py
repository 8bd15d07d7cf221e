#!/usr/bin/env python3
"""Statistics of stored data by scipy, an independent code:

  python3 tests/reference/inference.py > tests/reference/inference.json

Group b is compared with group a, differences are b - a. Data are rounded to six digits first, so that the JSON holds
just what scipy saw. Sections:

  groups     two groups of any sizes: moments, Welch, F, Levene about the medians, distances
  pairs      the same for pairs, and Wilcoxon, t tests of one sample, two one-sided tests
  published  from moments alone
  holm       Holm's procedure, as written in his paper
  planned    pairs needed: by the noncentral t law, and exactly by integration over the law of the estimated sd
  resampled  BCa intervals and permutation p-values, with their Monte Carlo errors
"""
import json
import sys

import numpy as np
import scipy
from scipy import integrate, optimize, stats


def rounded(x):
    return np.array([float(f"{v:.6g}") for v in x])


def moments(x):
    return {"n": len(x), "mean": np.mean(x), "sd": np.std(x, ddof=1)}


def test(result):
    return [float(result.statistic), float(result.pvalue)]


def compare_groups(a, b):
    welch = stats.ttest_ind(b, a, equal_var=False)
    interval = welch.confidence_interval(0.95)
    ratio = np.var(b, ddof=1) / np.var(a, ddof=1)
    law = stats.f(len(b) - 1, len(a) - 1)
    return {
        "a": list(a), "b": list(b),
        "moments_a": moments(a), "moments_b": moments(b),
        "welch": test(welch), "welch_interval": [interval.low, interval.high],
        "f_test": [ratio, 2 * min(law.cdf(ratio), law.sf(ratio))],
        "brown_forsythe": test(stats.levene(a, b, center="median")),
        "kolmogorov": float(stats.ks_2samp(a, b, method="asymp").statistic),
        "energy": float(stats.energy_distance(a, b)),
    }


def compare_pairs(a, b, method, margin):
    d = b - a
    result = compare_groups(a, b)
    result["wilcoxon"] = test(stats.wilcoxon(d, zero_method="wilcox", correction=False, method=method))
    result["ttest_rel"] = test(stats.ttest_rel(b, a))
    above = stats.ttest_1samp(d, -margin, alternative="greater").pvalue
    below = stats.ttest_1samp(d, margin, alternative="less").pvalue
    size, error, law = abs(d.mean()), stats.sem(d), stats.t(len(d) - 1)
    result["margin"] = margin
    result["p_equivalent"] = max(above, below)
    result["p_beyond"] = law.sf((size - margin) / error) + law.sf((size + margin) / error)
    return result


def holm(p):
    adjusted, running = [0.0] * len(p), 0.0
    for k, i in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        running = max(running, min(1.0, (len(p) - k) * p[i]))
        adjusted[i] = running
    return adjusted


def exact_power(n, d, sd, margin, level=0.05):
    """Of both tests: given the estimated standard error s, the mean is normal; integrated over s."""
    df, error = n - 1, sd / np.sqrt(n)
    law, chi = stats.t(df), stats.chi2(df)
    equivalent = abs(d) < margin

    def given(q):
        s = error * np.sqrt(chi.ppf(q) / df)
        if equivalent:
            reach = margin - law.isf(level) * s
            return max(0.0, stats.norm.cdf((reach - d) / error) - stats.norm.cdf((-reach - d) / error))
        beyond = lambda t: law.sf(t) + law.sf(t + 2 * margin / s) - level
        low, high = law.isf(level), law.isf(level / 2)
        t = high if beyond(high) >= 0 else low if beyond(low) <= 0 else optimize.brentq(beyond, low, high)
        reach = margin + t * s
        return stats.norm.sf((reach - d) / error) + stats.norm.cdf((-reach - d) / error)

    return integrate.quad(given, 0, 1, limit=200)[0]


def nct_power(n, d, sd, margin, level=0.05):
    df, error = n - 1, sd / np.sqrt(n)
    if abs(d) < margin:
        c = stats.t.isf(level, df)
        return stats.nct.cdf(-c, df, (abs(d) - margin) / error) - stats.nct.cdf(c, df, (abs(d) + margin) / error)
    beyond = lambda t: stats.t.sf(t, df) + stats.t.sf(t + 2 * margin / error, df) - level
    low, high = stats.t.isf(level, df), stats.t.isf(level / 2, df)
    c = high if beyond(high) >= 0 else low if beyond(low) <= 0 else optimize.brentq(beyond, low, high)
    return stats.nct.sf(c, df, (abs(d) - margin) / error)


def smallest(power, reached=0.9):
    few, many = 1, 2
    while power(many) < reached:
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if power(middle) >= reached else (middle, many)
    return many


def planned(d, sd, margin):
    return {"difference": d, "sd": sd, "margin": margin,
            "nct": smallest(lambda n: nct_power(n, d, sd, margin)),
            "exact": smallest(lambda n: exact_power(n, d, sd, margin))}


def bca(x, resamples=9999, runs=100):
    """Mean and sd of the ends over many runs: the Monte Carlo error of one."""
    ends = []
    for run in range(runs):
        result = stats.bootstrap((x,), np.mean, n_resamples=resamples, method="BCa", rng=np.random.default_rng(run))
        ends.append([result.confidence_interval.low, result.confidence_interval.high])
    return {"values": list(x), "resamples": resamples, "runs": runs,
            "mean": list(np.mean(ends, axis=0)), "sd": list(np.std(ends, axis=0, ddof=1))}


def permuted(a, b, resamples=19999):
    def by(statistic):
        result = stats.permutation_test((a, b), statistic, permutation_type="samples", alternative="greater",
                                        n_resamples=resamples, vectorized=False, rng=np.random.default_rng(1))
        return [float(result.statistic), float(result.pvalue)]

    return {"a": list(a), "b": list(b), "resamples": resamples,
            "kolmogorov": by(lambda x, y: stats.ks_2samp(x, y, method="asymp").statistic),
            "energy": by(stats.energy_distance)}


def main():
    rng = np.random.default_rng(20240501)
    normal = rounded(rng.normal(10, 2, 80))
    lognormal = rounded(rng.lognormal(3, 0.5, 120))
    whole = np.round(rng.normal(5, 2, 200))
    fifty, more = rounded(rng.normal(0, 1, 50)), rounded(rng.normal(0, 1, 51))
    small = rounded(rng.normal(0, 1, 9))
    pairs = {
        "normal": (normal, rounded(normal + rng.normal(0.3, 1, 80)), "asymptotic", 0.5),
        "lognormal": (lognormal, rounded(lognormal * rng.lognormal(0.02, 0.1, 120)), "asymptotic", 3.0),
        "ties_and_zeros": (whole, whole + rng.integers(-2, 4, 200), "asymptotic", 0.25),
        "few_with_zeros": (whole[:20], whole[:20] + rng.integers(-2, 4, 20), "asymptotic", 0.5),
        "small": (small, rounded(small + rng.normal(1, 1, 9)), "exact", 2.0),
        "fifty": (fifty, rounded(fifty + rng.normal(0.3, 1, 50)), "exact", 0.1),
        "fifty_one": (more, rounded(more + rng.normal(0.3, 1, 51)), "asymptotic", 0.1),
        "far_apart": (normal, rounded(normal + rng.normal(5, 1, 80)), "asymptotic", 4.0),
    }
    groups = {
        "unequal_normal": (rounded(rng.normal(0, 1, 60)), rounded(rng.normal(0.5, 3, 37))),
        "unequal_lognormal": (rounded(rng.lognormal(0, 1, 45)), rounded(rng.lognormal(0.2, 0.7, 150))),
        "unequal_with_ties": (whole[:33], np.round(rng.normal(6, 3, 71))),
        "two_against_four": (rounded(rng.normal(0, 1, 2)), rounded(rng.normal(1, 1, 4))),
    }
    published = []
    for a, b in [((1000, 57.3, 12.1), (1000, 58.1, 12.4)), ((12, 3.2, 0.4), (7, 2.1, 1.9)),
                 ((2, 1.0, 0.1), (30, 1.5, 2.0))]:
        result = stats.ttest_ind_from_stats(b[1], b[2], b[0], a[1], a[2], a[0], equal_var=False)
        ratio, law = (b[2] / a[2]) ** 2, stats.f(b[0] - 1, a[0] - 1)
        published.append({"a": a, "b": b, "welch": test(result),
                          "f_test": [ratio, 2 * min(law.cdf(ratio), law.sf(ratio))]})
    p = [0.01, 0.04, 0.03, 0.005, 0.2, 0.9, 0.04, 1e-12]
    shifted = rounded(lognormal[:60] * rng.lognormal(0.05, 0.25, 60))
    spread = rounded(normal + rng.normal(0, 2.0, 80))
    json.dump({
        "made_by": "python3 tests/reference/inference.py > tests/reference/inference.json",
        "with": f"scipy {scipy.__version__}, numpy {np.__version__}",
        "groups": {name: compare_groups(*g) for name, g in groups.items()},
        "pairs": {name: compare_pairs(*g) for name, g in pairs.items()},
        "published": published,
        "holm": {"p": p, "adjusted": holm(p)},
        "planned": [planned(*c) for c in [(0.3, 1, 0.6), (0, 1, 0.5), (-0.9, 1, 1), (3, 1, 2), (-0.5, 1, 0.1),
                                          (0.2, 1, 0.02), (0.4, 1, 0), (0.02, 0.5, 0.07), (1, 2, 4), (0.3, 1, 0.33)]],
        "resampled": {
            "bca": {"lognormal": bca(rounded(rng.lognormal(0, 1, 100))), "normal": bca(normal),
                    "few": bca(lognormal[:12])},
            "permutation": {"shifted": permuted(lognormal[:60], shifted), "spread": permuted(normal, spread),
                            "ties": permuted(whole[:40], whole[:40] + rng.integers(-1, 3, 40))},
        },
    }, sys.stdout, indent=1, default=float)
    print()


if __name__ == "__main__":
    main()
