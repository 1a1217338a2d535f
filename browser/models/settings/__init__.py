# SPDX-License-Identifier: MIT
"""The settings of a library: descriptors, networks, limits.

Uses `work`, `photos`, `help` and `base`. Entry point: `Preferences`.
"""
