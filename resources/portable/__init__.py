# SPDX-License-Identifier: MIT
"""Scripts that are copied into exports: `rank_photos` ranks by a metric without Focal, `replay` trains one again.

`rank_photos` uses NumPy only, `replay` the public names of Focal.
"""
