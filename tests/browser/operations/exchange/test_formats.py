# SPDX-License-Identifier: MIT
"""The table of file formats."""

from __future__ import annotations

import subprocess
import sys

from focal_photos.browser.operations.exchange.formats import FORMATS


def test_names_and_suffixes_identify_formats() -> None:
    assert list(FORMATS) == [one.name for one in FORMATS.values()]
    assert len({one.title for one in FORMATS.values()}) == len(FORMATS)
    # Several programs use JSON, but the suffixes of tables are unique.
    written = [suffix for one in FORMATS.values() if one.is_table for suffix in one.suffixes]
    assert len(written) == len(set(written))
    suffixes = [suffix for one in FORMATS.values() for suffix in one.suffixes]
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in suffixes)
    assert all(bool(one.suffixes) != one.is_folder for one in FORMATS.values())


def test_each_format_reads_or_writes() -> None:
    for one in FORMATS.values():
        assert one.reads_something or one.writes_photos or one.writes_judgements, one.name
        # A format writes either text, possibly to standard output, or its own file or folder.
        assert not (one.write_photos and one.save_photos), one.name
        assert not (one.write_judgements and one.save_judgements), one.name


def test_importing_the_table_loads_no_readers_and_writers() -> None:
    script = (
        "import sys\n"
        "before = set(sys.modules)  # of what measures the coverage, where that is measured\n"
        "import focal_photos.browser.operations.exchange.formats\n"
        "assert not {'numpy', 'sqlite3', 'PySide6', 'csv', 'lxml', 'pyarrow'} & (set(sys.modules) - before)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
