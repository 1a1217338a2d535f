"""What every operation is written with: progress and cancelling, errors in words, a computation in a thread.

Uses nothing else of the operations. Entry points: `Progress` in `progress`, `OperationError` in `errors`.
"""
