# SPDX-License-Identifier: MIT
"""Background lanes: work in threads, with results delivered on the main thread by Qt signals.

Uses `operations` and the floors below. Entry point: `Runner` in `runner`.
"""
