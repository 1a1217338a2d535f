"""The kernel metric of Chang and Yeung, and its stepwise form.

Uses `core`. Entry point: `KernelMetric`.
"""
