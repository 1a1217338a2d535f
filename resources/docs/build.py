# SPDX-License-Identifier: MIT
"""Builds the documentation site in ``build/docs``: ``make docs``.

Pages and pictures that are made from the program are written to ``resources/docs/generated`` first. Every warning of
Sphinx is an error.
"""

from __future__ import annotations

import argparse
import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
OUTPUT: Final = ROOT / "build" / "docs"
GENERATED: Final = ROOT / "resources" / "docs" / "generated"
_START: Final = "resources/docs/index.html"


def main() -> None:
    """Build the site."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update-guide", action="store_true", help="also renew the pictures of the window's guide")
    parser.add_argument("--fresh", action="store_true", help="build all pages, also those that did not change")
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    pages = importlib.import_module("pages")  # beside this file; it needs the root of the repository on the path
    pages.write_pages(GENERATED)
    pictures = GENERATED / "pictures"
    subprocess.run([sys.executable, str(Path(__file__).with_name("pictures.py")), str(pictures)], check=True)
    if given.update_guide:
        shutil.copytree(pictures, ROOT / "resources" / "guide" / "pictures", dirs_exist_ok=True)
    command = [sys.executable, "-m", "sphinx", "--builder", "html", "--fail-on-warning", "--quiet"]
    command += ["--fresh-env"] if given.fresh else []
    command += ["--conf-dir", str(ROOT / "resources" / "docs"), "--doctree-dir", str(ROOT / "build" / "doctrees")]
    built = subprocess.run([*command, str(ROOT), str(OUTPUT)], check=False)
    if built.returncode:
        raise SystemExit(built.returncode)
    redirect = f'<meta charset="utf-8"><meta http-equiv="refresh" content="0; url={_START}"><title>Focal</title>\n'
    (OUTPUT / "index.html").write_text(f'<!doctype html>\n{redirect}<a href="{_START}">Focal</a>\n', encoding="utf-8")
    print(f"The site is in {OUTPUT / 'index.html'}")


if __name__ == "__main__":
    main()
