# SPDX-License-Identifier: MIT
"""The guide in a separate window, opened at the chapter on the current part of the program.

Uses `base`. Entry points: `GuideOpener`, `GuideWindow`.
"""
