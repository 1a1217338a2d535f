# SPDX-License-Identifier: MIT
"""Conversion of the arguments of `fit`: samples, and side information in the forms used by scripts.

Entry points: `as_samples` in `samples`, `given` in `targets`.
"""
