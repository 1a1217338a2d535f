# SPDX-License-Identifier: MIT
"""Building blocks of operations: progress and cancellation, errors, and computations in threads.

Uses no other room of the operations. Entry points: `Progress` in `progress`, `OperationError` in `errors`.
"""
