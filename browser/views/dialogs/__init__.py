# SPDX-License-Identifier: MIT
"""Dialogs with questions and lists.

Uses `base`. Entry points: one class each.
"""
