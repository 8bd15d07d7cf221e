"""Tables 2 and 3 of Leine et al. 2021 judged from their means and standard deviations, by scipy.

    python3 tests/reference/published.py > tests/reference/published.json      (scipy 1.17)
"""
import json
import math

from scipy import stats

N = 1000
# place, column, explicit: mean, sd, implicit: mean, sd; units of the paper
TABLES = [
    ("ramp", "slope_kinetic_energy", 168.61, 113.8, 188.03, 131.7),
    ("ramp", "slope_speed", 17.88, 7.4, 17.75, 7.7),
    ("ramp", "slope_rotation", 4.12, 1.8, 4.77, 1.9),
    ("ramp", "slope_jump", 1.93, 1.8, 1.40, 1.1),
    ("Chant Sura", "kinetic_energy_mean", 97.06, 69.3, 131.72, 80.6),
    ("Chant Sura", "speed_mean", 13.29, 5.7, 15.06, 6.0),
    ("Chant Sura", "rotation_mean", 3.31, 1.5, 4.01, 1.5),
    ("Chant Sura", "jump_mean", 1.52, 1.3, 1.50, 1.2),
]


def holm(p):
    adjusted, largest = [0.0] * len(p), 0.0
    for rank, i in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        largest = max(largest, (len(p) - rank) * p[i])
        adjusted[i] = min(1.0, largest)
    return adjusted


rows = []
for place, column, m0, s0, m1, s1 in TABLES:
    a, b = s0**2 / N, s1**2 / N
    freedom = (a + b) ** 2 / (a**2 / (N - 1) + b**2 / (N - 1))
    half = stats.t.ppf(0.975, freedom) * math.sqrt(a + b)
    ratio = stats.f(N - 1, N - 1)
    f = (s1 / s0) ** 2
    rows.append({
        "place": place, "column": column,
        "baseline": [m0, s0], "arm": [m1, s1],
        "difference": m1 - m0,
        "ci95": [m1 - m0 - half, m1 - m0 + half],
        "p": stats.ttest_ind_from_stats(m1, s1, N, m0, s0, N, equal_var=False).pvalue,
        "effect_size": (m1 - m0) / math.sqrt((s0**2 + s1**2) / 2),
        "sd_ratio": s1 / s0,
        "p_sd": 2 * min(ratio.cdf(f), ratio.sf(f)),
    })
for name in ("p", "p_sd"):
    for row, adjusted in zip(rows, holm([row[name] for row in rows])):
        row[name + "_holm"] = adjusted
print(json.dumps({"n": N, "contrasts": rows}, indent=1))
