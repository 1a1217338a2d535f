# SPDX-License-Identifier: MIT
"""The kernel metric of Chang and Yeung, and its stepwise variant.

Uses `core`. Entry point: `KernelMetric`.
"""
