# SPDX-License-Identifier: MIT
"""Widgets: they show models and call the session, and touch no store, file or array."""
