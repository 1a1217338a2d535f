"""The window of the tests of the views, for those of what drives it."""

from __future__ import annotations

from tests.browser.views.conftest import dark, driver, open_window, settings, theme

__all__ = ["dark", "driver", "open_window", "settings", "theme"]
