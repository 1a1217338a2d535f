# SPDX-License-Identifier: MIT
"""What the main window does besides showing panels: modes, full screen, saved sizes, offers, files from outside.

Entry point: `MainWindow` in the room around it.
"""
