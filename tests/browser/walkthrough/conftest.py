# SPDX-License-Identifier: MIT
"""Fixtures of the window, for tests of the walkthrough and its driver."""

from __future__ import annotations

from tests.browser.views.conftest import dark, driver, open_window, settings, theme

__all__ = ["dark", "driver", "open_window", "settings", "theme"]
