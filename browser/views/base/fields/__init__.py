# SPDX-License-Identifier: MIT
"""Input fields: combo boxes, lists of completions, and error messages below fields.

Uses `theme` beside it. Entry points: `ComboBox`, `Completer`.
"""
