"""Builds the documentation site in ``build/docs``: ``make docs``.

Pages and pictures that are made from the program are written to ``resources/docs/generated`` first. Every warning of
Sphinx is an error.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
OUT: Final = ROOT / "build" / "docs"
_START: Final = "resources/docs/index.html"


def main() -> None:
    """Build the site."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fresh", action="store_true", help="build all pages, also those that did not change")
    given = parser.parse_args()
    command = [sys.executable, "-m", "sphinx", "--builder", "html", "--fail-on-warning", "--quiet"]
    command += ["--fresh-env"] if given.fresh else []
    command += ["--conf-dir", str(ROOT / "resources" / "docs"), "--doctree-dir", str(ROOT / "build" / "doctrees")]
    built = subprocess.run([*command, str(ROOT), str(OUT)], check=False)
    if built.returncode:
        raise SystemExit(built.returncode)
    redirect = f'<meta charset="utf-8"><meta http-equiv="refresh" content="0; url={_START}"><title>Focal</title>\n'
    (OUT / "index.html").write_text(f'<!doctype html>\n{redirect}<a href="{_START}">Focal</a>\n', encoding="utf-8")
    print(f"The site is in {OUT / 'index.html'}")


if __name__ == "__main__":
    main()
