# SPDX-License-Identifier: MIT
"""Input fields: combo boxes, lists of completions, and error messages below fields.

Uses `theme`.
"""
