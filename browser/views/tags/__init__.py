# SPDX-License-Identifier: MIT
"""Tags of the selection, and suggested tags.

Uses `base` and `photos`. Entry points: `TagPanel`, `SuggestionPanel`.
"""
