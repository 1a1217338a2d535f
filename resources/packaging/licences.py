# SPDX-License-Identifier: MIT
"""Lists the licences of all packages in a bundle: ``python resources/packaging/licences.py FOLDER``.

Writes to ``FOLDER`` the file ``LICENCES.md``, a table of all packages that Focal requires, and one folder of licence
texts per package. The texts of a package cover its bundled libraries (Qt in PySide6, libheif in pi-heif, ...).
"""

from __future__ import annotations

import re
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

PROGRAM: Final = "focal-photos"
EXTRAS: Final = ("networks", "medical")
"""Extras included in a bundle."""

_STANDARD: Final = {"LGPL": ("LGPL-3.0.txt", "GPL-3.0.txt"), "Apache": ("Apache-2.0.txt",)}
"""Licence texts for packages without one, by a word in the name of their licence."""

_TEXT: Final = re.compile(r"(?i)(^|/)(licen[cs]es?/.*|(licen[cs]e|copying|notice|authors|copyright)[^/]*)$")


def needed(name: str, extras: tuple[str, ...] = ()) -> Iterator[Distribution]:
    """Yield a distribution and all its dependencies on this platform, once each, by name."""
    found: dict[str, Distribution] = {}
    waiting = [(name, frozenset(extras))]
    looked_at: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        package = waiting.pop()
        if package in looked_at:
            continue
        looked_at.add(package)
        try:
            one = distribution(package[0])
        except PackageNotFoundError as error:
            raise SystemExit(f"{package[0]} is needed, but not installed here: make run installs it.") from error
        found[normal(one.metadata["Name"])] = one
        for text in one.requires or ():
            requirement = Requirement(text)
            here = requirement.marker
            if here is None or any(here.evaluate({"extra": extra}) for extra in package[1] | {""}):
                waiting.append((requirement.name, frozenset(requirement.extras)))
    yield from (found[key] for key in sorted(found))


def normal(name: str) -> str:
    """Return a distribution's name in the normal form of package indexes."""
    return re.sub(r"[-_.]+", "-", name).lower()


def licence(one: Distribution) -> str:
    """Return the licence in one line: an SPDX expression if available, otherwise the package's own name for it."""
    said = one.metadata
    classifiers = [line.split(" :: ")[-1] for line in said.get_all("Classifier") or () if line.startswith("License ::")]
    first_line = "".join(said.get_all("License") or ()).strip().split("\n")[0]
    classified = ", ".join(name for name in classifiers if name != "OSI Approved")
    expression = "".join(said.get_all("License-Expression") or ())
    return expression or classified or first_line or "see its text"


def texts(one: Distribution) -> list[Path]:
    """Return the licence files of a package and of its bundled libraries."""
    files = [file for file in one.files or () if _TEXT.search(str(file)) and not str(file).endswith((".py", ".pyc"))]
    if files:
        return sorted({Path(str(one.locate_file(file))) for file in files})
    place = Path(__file__).parent / "texts"
    return [place / name for word, names in _STANDARD.items() if word in licence(one) for name in names]


def write(folder: Path) -> int:
    """Write the list and the texts; return the number of packages."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    python = f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    rows = [("Python", python, "PSF-2.0", "1")]
    standard = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    _copy(folder / "Python", [standard] if standard.is_file() else [])
    for one in needed(PROGRAM, EXTRAS):
        name = one.metadata["Name"]
        found = texts(one)
        _copy(folder / name, found)
        rows.append((name, one.version, licence(one), str(len(found))))
    lines = [
        "# Licences",
        "",
        "Contents of a Focal bundle. The texts are in the folders beside this file. Qt (PySide6) and the other",
        "libraries under the LGPL are separate files in the bundle, and may be replaced by other builds of the",
        "same version.",
        "",
        "| package | version | licence | texts |",
        "|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
    (folder / "LICENCES.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(rows)


def _copy(folder: Path, files: list[Path]) -> None:
    for number, file in enumerate(files):
        folder.mkdir(parents=True, exist_ok=True)
        place = folder / file.name
        shutil.copyfile(file, place if not place.exists() else folder / f"{number}-{file.name}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("Usage: python resources/packaging/licences.py FOLDER")
    print(f"{write(Path(sys.argv[1]))} packages: {Path(sys.argv[1]) / 'LICENCES.md'}")
