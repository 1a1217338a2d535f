# SPDX-License-Identifier: MIT
"""Builds a release and tests it: ``make release``.

``dist/release`` then contains the source archive, the wheel, the bundle of this machine, a CycloneDX bill of materials
for each, and ``SHA256SUMS``. All files have the time of the last commit, so that two builds of a commit on the same
system are equal byte by byte. The wheel is then installed in an empty environment and used, and the bundle is unpacked
and used. The first failure ends the program.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
_HERE: Final = ROOT / "resources" / "packaging"
_PROGRAMS: Final = "Scripts" if os.name == "nt" else "bin"


def main() -> None:
    """Build and test a release."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--no-bundle", action="store_true", help="build and test only source archive and wheel")
    parser.add_argument("--twice", action="store_true", help="build twice and compare all files")
    given = parser.parse_args()
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, check=True, capture_output=True).stdout
    if changed:
        raise SystemExit("A release is built from a commit: commit or remove the changes first.")
    folder, bundled = ROOT / "dist" / "release", not given.no_bundle
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        tools = _environment(place / "tools", "requirements-release.lock")
        run(tools / "reuse", "lint", "--quiet")
        sums = build(tools, folder, bundled=bundled)
        if given.twice:
            again = build(tools, place / "again", bundled=bundled)
            different = sorted(file for file in sums if sums[file] != again.get(file))
            if different:
                raise SystemExit(f"Two builds differ in {', '.join(different)}.")
            print(f"Two builds are equal: {', '.join(sums)}")
        use(folder, place)
    print(f"The release is in {folder}.")


def build(tools: Path, folder: Path, *, bundled: bool) -> dict[str, str]:
    """Build the files of a release.

    Parameters
    ----------
    tools : Path
        Folder with the programs of ``requirements-release.lock``.
    folder : Path
        Where the files are written; emptied first.
    bundled : bool
        Whether to build the bundle of this machine.

    Returns
    -------
    dict of str to str
        SHA-256 checksums by name of file.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run(tools / "python", "-m", "hatchling", "build", "--directory", folder)
    run(tools / "twine", "check", "--strict", *sorted(folder.iterdir()))
    if bundled:
        _bundle(folder)
    for file in sorted(folder.iterdir()):
        # what a bundle contains is what its lock file names
        words = ["--pyproject", "pyproject.toml", "--mc-type", "application", "--output-reproducible"]
        run(tools / "cyclonedx-py", "requirements", "requirements.lock", *words, "--output-file", f"{file}.cdx.json")
    sums = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}
    lines = [f"{checksum}  {name}\n" for name, checksum in sums.items()]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")
    return sums


def use(folder: Path, place: Path) -> None:
    """Install the wheel of a release and unpack its bundle in empty folders of `place`, and use both."""
    (wheel,) = folder.glob("*.whl")
    programs = _environment(place / "installed", "requirements.lock")
    run(programs / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel)
    run(sys.executable, _HERE / "try_bundle.py", programs)
    for archive in folder.glob(f"*-{_system()}.tar.gz"):
        with tarfile.open(archive) as opened:
            opened.extractall(place, filter="data")
        run(sys.executable, _HERE / "try_bundle.py", place / "focal")


def sort_members(archive: Path) -> None:
    """Write the members of a zip file again, by name: PyInstaller's order depends on addresses in memory."""
    with zipfile.ZipFile(archive) as opened:
        members = [(info, opened.read(info)) for info in sorted(opened.infolist(), key=lambda info: info.filename)]
    with zipfile.ZipFile(archive, "w") as written:
        for info, content in members:
            written.writestr(info, content)


def run(*command: str | Path) -> None:
    """Run a program in the checkout with reproducible time stamps; exit if it fails."""
    print(" ".join(map(str, command)), flush=True)
    stable = {"SOURCE_DATE_EPOCH": str(_time()), "PYTHONHASHSEED": "0"}
    if subprocess.run(list(map(str, command)), cwd=ROOT, env=os.environ | stable, check=False).returncode:
        raise SystemExit(1)


def _bundle(folder: Path) -> None:
    """Build the bundle and pack it into an archive in `folder`, all files in order and with the same time and owner."""
    with tempfile.TemporaryDirectory() as name:
        where = ["--distpath", name, "--workpath", f"{name}/work"]
        run(sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", *where, _HERE / "focal.spec")
        sort_members(Path(name) / "focal" / "_internal" / "base_library.zip")
        version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        archive = folder / f"focal-{version}-{_system()}.tar.gz"
        with (
            archive.open("wb") as raw,
            gzip.GzipFile("", "wb", fileobj=raw, mtime=_time()) as zipped,
            tarfile.open(mode="w", fileobj=zipped) as packed,
        ):
            for file in sorted((Path(name) / "focal").rglob("*")):
                packed.add(file, file.relative_to(name), recursive=False, filter=_plain)


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return an entry of an archive with the time of the last commit and without an owner."""
    return entry.replace(mtime=_time(), uid=0, gid=0, uname="", gname="", deep=False)


def _environment(folder: Path, lock: str) -> Path:
    """Create an environment with the packages of a lock file; return the folder of its programs."""
    run(sys.executable, "-m", "venv", folder)
    programs = folder / _PROGRAMS
    run(programs / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "-r", lock)
    return programs


def _system() -> str:
    return f"{platform.system()}-{platform.machine()}".lower()


def _time() -> int:
    """Return the time of the last commit, in seconds since 1970."""
    shown = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True)
    return int(shown.stdout)


if __name__ == "__main__":
    main()
