# SPDX-License-Identifier: MIT
"""Several positive and negative examples instead of a focal image.

Uses `base`. Entry point: `ExamplesStrip`.
"""
