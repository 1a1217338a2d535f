# SPDX-License-Identifier: MIT
"""File formats of plug-ins: which are accepted, and their errors. Entry point: `checked` in `plugin_format`."""
