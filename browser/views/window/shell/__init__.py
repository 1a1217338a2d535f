# SPDX-License-Identifier: MIT
"""The parts of the main window that are no panels: modes, full screen, saved sizes, offers, files from outside.

Entry point: `MainWindow` in the room around it.
"""
