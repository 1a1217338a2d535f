# SPDX-License-Identifier: MIT
"""Floor 2: one verb a file. The only room where the catalogue, the features and the learners meet."""
