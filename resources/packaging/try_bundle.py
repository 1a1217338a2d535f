# SPDX-License-Identifier: MIT
"""Tests a bundle without an installed Python: ``python resources/packaging/try_bundle.py dist/focal``.

Draws and indexes the demo album (worker processes, decoders, every standard descriptor), ranks, trains, suggests,
checks, and opens the window, to which a second process forwards a photo. The first failure ends the program.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

_SECONDS: Final = 600


class Bundle:
    """A bundle, and a folder for testing it.

    Parameters
    ----------
    folder : Path
        Contains the program ``focal``.
    place : Path
        Empty folder for the library and the album.
    """

    def __init__(self, folder: Path, place: Path) -> None:
        self.program = (folder / ("focal-cli.exe" if os.name == "nt" else "focal")).absolute()
        self.place, self.library = place, place / "library"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        self.environment = kept | {"QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}

    def command(self, *words: str | Path) -> list[str]:
        """Return a command line with the library."""
        return [str(self.program), *map(str, words), "--library", str(self.library)]

    def run(self, *words: str | Path) -> str:
        """Run a command, which must succeed; return its output."""
        begin = time.monotonic()
        done = subprocess.run(
            self.command(*words),
            cwd=self.place,
            env=self.environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_SECONDS,
            check=False,
        )
        print(f"{time.monotonic() - begin:6.1f} s  focal {' '.join(map(str, words))}", flush=True)
        if done.returncode:
            raise SystemExit(f"It ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def expect(self, text: str, found: str) -> None:
        """Exit if the output does not contain a text."""
        if text not in found:
            raise SystemExit(f"{text!r} was expected in: {found}")


def window(bundle: Bundle, photo: Path) -> None:
    """Open the window, forward a photo to it from a second process, and close it."""
    with subprocess.Popen(bundle.command(), cwd=bundle.place, env=bundle.environment) as process:
        try:
            deadline = time.monotonic() + _SECONDS
            while time.monotonic() < deadline:
                time.sleep(2)
                if process.poll() is not None:
                    raise SystemExit(f"The window ended with {process.returncode}.")
                # The process with the open library takes the photo; until it listens, a second process would wait.
                again = subprocess.Popen(bundle.command(photo), cwd=bundle.place, env=bundle.environment)
                try:
                    again.wait(20)
                except subprocess.TimeoutExpired:
                    again.kill()
                    again.wait()
                    continue
                if again.returncode == 0:
                    print("        the window took a photo from a second start", flush=True)
                    return
            raise SystemExit("The window did not answer.")
        finally:
            process.terminate()


def main(folder: Path) -> None:
    """Test the bundle in a folder."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        bundle = Bundle(folder, Path(place))
        album = bundle.place / "album"
        bundle.expect("focal ", bundle.run("--version"))
        bundle.run("demo", album, "--count", "60")
        photos = sorted(album.rglob("*.jpg"))
        bundle.expect("Shared neighbours", bundle.run("rank", photos[0], "--why"))
        bundle.run("train", "--learner", "automatic")
        bundle.run("train", "--learner", "local")
        bundle.run("suggest", "--untagged")
        bundle.run("export", "--format", "csv", "--output", bundle.place / "photos.csv")
        bundle.run("archive", bundle.place / "library.focal.zip")
        bundle.run("check")
        window(bundle, photos[0])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("Usage: python resources/packaging/try_bundle.py FOLDER")
    main(Path(sys.argv[1]))
