"""The table of file formats."""

from __future__ import annotations

import subprocess
import sys

from focal_photos.browser.operations.exchange.formats import FORMATS


def test_names_and_suffixes_tell_formats_apart() -> None:
    assert list(FORMATS) == [one.name for one in FORMATS.values()]
    suffixes = [suffix for one in FORMATS.values() for suffix in one.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in suffixes)
    assert all(one.suffixes for one in FORMATS.values())


def test_each_format_reads_or_writes_something() -> None:
    for one in FORMATS.values():
        assert any((one.tags, one.judgements, one.write_photos, one.write_judgements)), one.name


def test_the_table_is_known_without_numpy() -> None:
    script = (
        "import sys\n"
        "before = set(sys.modules)  # of what measures the coverage, where that is measured\n"
        "import focal_photos.browser.operations.exchange.formats\n"
        "assert not {'numpy', 'sqlite3', 'PySide6'} & (set(sys.modules) - before)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
