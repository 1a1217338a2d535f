# SPDX-License-Identifier: MIT
"""The main window: its bars, panels and actions, and their connections.

Uses all other rooms of the views. Entry point: `MainWindow`.
"""
