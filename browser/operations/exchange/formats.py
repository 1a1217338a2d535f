"""The table of the file formats: the options of the command line and all imports and exports are made from it."""

from __future__ import annotations

from typing import Final

from focal_photos.browser.operations.exchange.csv_format import CSV
from focal_photos.browser.operations.exchange.file_format import FileFormat
from focal_photos.browser.operations.exchange.json_lines_format import JSON_LINES

FORMATS: Final[dict[str, FileFormat]] = {one.name: one for one in (CSV, JSON_LINES)}
"""Every file format by its name."""
