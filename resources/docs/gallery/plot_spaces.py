# SPDX-License-Identifier: MIT
"""
What learners do to a plane
===========================

Three classes form parallel strips. Position along the strips is irrelevant; position across them gives the class, so
Euclidean distance fails. Each learner is given the class of every third point, and maps the plane to a space in which
the distance is Euclidean again; the first two axes are drawn.
"""

import matplotlib.pyplot as plt
import numpy as np

from focal_photos import create

# %%
# The data set
# ------------
# 3 classes of 40 points. The classes of two thirds of them are unknown to the learners (-1).
rng = np.random.default_rng(0)
classes = np.repeat([0, 1, 2], 40)
along, across = rng.normal(0, 40, 120), 2 * classes + rng.normal(0, 0.4, 120)
points = np.column_stack([along, across]) @ np.array([[0.8, 0.6], [-0.6, 0.8]])
known = np.where(np.arange(len(classes)) % 3 == 0, classes, -1)

# %%
# The spaces
# ----------
# The number is the share of points whose nearest other point is of the same class.
names = ("euclidean", "rca", "dca", "lda", "nca", "lmnn", "gmml", "kernel")
figure, axes = plt.subplots(2, 4, figsize=(11, 6), layout="constrained")
for name, axis in zip(names, axes.flat, strict=True):
    learner = create(name).fit(points, known)
    mapped = learner.transform(points)
    if mapped.shape[1] == 1:  # one axis: the other one is drawn at random
        mapped = np.column_stack([mapped, rng.normal(0, 1, 120)])
    axis.scatter(mapped[:, 0], mapped[:, 1], c=classes, s=12, cmap="viridis")
    axis.set(title=f"{name}: {learner.score(points, classes):.2f}", xticks=[], yticks=[])
plt.show()
