# SPDX-License-Identifier: MIT
"""The bars of the main window: above and below the photos, and the messages.

Uses `learner_menu` and `trail_menu` beside it. Entry points: `TopBar`, `StatusBar`, `MessageBar`.
"""
