# SPDX-License-Identifier: MIT
"""
How much learners gain, and in what time
========================================

The data set has 10 values per sample: two of them tell the classes apart, eight are noise of three times the size. Each
learner sees half of the classes' samples; the other half measures it.
"""

import time

import matplotlib.pyplot as plt
import numpy as np

from focal_photos import create

# %%
# The data set
# ------------
rng = np.random.default_rng(1)
classes = np.tile([0, 1, 2, 3], 50)
centers = np.array([[0, 0], [3, 0], [0, 3], [3, 3]])
useful = centers[classes] + rng.normal(0, 0.7, (200, 2))
samples = np.column_stack([useful, rng.normal(0, 3, (200, 8))])
train = np.arange(200) < 100

# %%
# Held-out samples
# ----------------
# Bars: the share of held-out samples whose nearest other sample is of the same class.
names = ("euclidean", "rca", "dca", "lda", "nca", "lmnn", "gmml", "itml", "kissme", "kernel", "bdm")
shares, seconds = [], []
for name in names:
    start = time.perf_counter()
    learner = create(name).fit(samples[train], classes[train])
    seconds.append(time.perf_counter() - start)
    shares.append(learner.score(samples[~train], classes[~train]))
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained", sharey=True)
left.barh(names, shares)
left.axvline(shares[0], color="gray", linestyle="--")
left.set(title="Nearest sample is of the same class", xlim=(0, 1))
right.barh(names, seconds)
right.set(title="Seconds to fit", xscale="log")
left.invert_yaxis()
plt.show()
