# SPDX-License-Identifier: MIT
"""The settings dialog and its pages.

Uses `base`. Entry point: `SettingsDialog`.
"""
