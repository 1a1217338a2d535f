# SPDX-License-Identifier: MIT
"""The photo browser: the catalogue, the operations on it, the window and the command line."""
