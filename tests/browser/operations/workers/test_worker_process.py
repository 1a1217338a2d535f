# SPDX-License-Identifier: MIT
"""Starting worker processes, also in programs with an embedded Python, and the errors if a start fails."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from focal_photos.browser.operations.workers import worker_process
from focal_photos.browser.operations.workers.describe_photos import MIN_POOL_PHOTOS
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.worker_process import StartError
from tests.browser.operations.album import Album

ROOT = Path(__file__).parents[4]
_kept: list[str] = []


def keep(text: str) -> None:
    _kept.append(text)


def kept() -> list[str]:
    return _kept


def fail(text: str) -> None:
    raise LookupError(text)


def die(number: int) -> None:
    os.kill(os.getpid(), number)


def leave(code: int) -> None:
    os._exit(code)


@pytest.fixture
def pool() -> Iterator[ProcessPool]:
    with closing(ProcessPool(1, setup=(keep, ("one",)))) as pool:
        yield pool


# ------------------------------------------------------------------ another setup
def test_an_existing_process_gets_a_new_setup_once_before_its_next_call(pool: ProcessPool) -> None:
    assert pool.call(kept) == ["one"]
    (pid,) = pool.pids
    pool.set_up((keep, ("two",)))
    assert pool.call(kept) == ["one", "two"]
    assert pool.call(kept) == ["one", "two"]
    pool.set_up((keep, ("three",)))
    pool.set_up((keep, ("four",)))
    assert pool.call(kept) == ["one", "two", "four"]
    assert pool.pids == [pid]


@pytest.mark.slow
def test_a_later_process_gets_only_the_last_setup(pool: ProcessPool) -> None:
    assert pool.call(kept) == ["one"]
    pool.set_up((keep, ("two",)))
    pool.release()
    assert pool.call(kept) == ["two"]


@pytest.mark.slow
def test_a_failed_new_setup_is_reported_and_the_process_is_discarded(pool: ProcessPool) -> None:
    assert pool.call(kept) == ["one"]
    pool.set_up((fail, ("no such plan",)))
    with pytest.raises(StartError, match="no such plan"):
        pool.call(kept)
    assert pool.pids == []
    pool.set_up((keep, ("two",)))
    assert pool.call(kept) == ["two"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "argument", "said"), [(die, signal.SIGKILL, "free some memory"), (leave, 3, "code 3")]
)
def test_a_new_setup_that_ends_the_process_is_reported(
    pool: ProcessPool, function: object, argument: int, said: str
) -> None:
    assert pool.call(kept) == ["one"]
    pool.set_up((function, (argument,)))  # type: ignore[arg-type]
    with pytest.raises(StartError, match=said):
        pool.call(kept)
    assert pool.pids == []


def test_a_hanging_new_setup_is_reported(pool: ProcessPool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pool.call(kept) == ["one"]
    monkeypatch.setattr(worker_process, "START_SECONDS", 0.3)
    monkeypatch.setattr("focal_photos.browser.operations.workers.process_pool._STARTS", 1)
    pool.set_up((time.sleep, (60,)))
    with pytest.raises(StartError, match="not ready within"):
        pool.call(kept)
    assert pool.pids == []


# ------------------------------------------------------------------ cause of a failure
@pytest.mark.slow
@pytest.mark.parametrize(
    ("setup", "said"),
    [
        ((fail, ("no such plan",)), "ended with code 1, saying \"LookupError: no such plan\""),
        ((die, (signal.SIGKILL,)), "the system killed them, probably because memory was low: free some memory"),
        ((die, (signal.SIGTERM,)), f"ended by signal {signal.SIGTERM.value}: start Focal again"),
        ((leave, (7,)), "ended with code 7: start Focal again"),
    ],
)  # fmt: skip
def test_a_process_that_ends_at_its_start_is_reported_with_the_reason(
    setup: tuple[Callable[..., None], tuple[object]], said: str
) -> None:
    with closing(ProcessPool(1, setup=setup)) as pool, pytest.raises(StartError) as raised:
        pool.call(abs, -1)
    assert said.replace('"', "'") in str(raised.value).replace('"', "'")
    assert ("memory" in str(raised.value)) == ("memory" in said)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOMEM, "cannot start another process (Cannot allocate memory): free some memory"),
        (errno.EAGAIN, "free some memory"),
        (errno.EMFILE, "too many files are open"),
        (errno.EACCES, f"{sys.executable} cannot be run (Permission denied): start Focal again"),
    ],
)
def test_a_system_that_starts_no_process_is_reported_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with closing(ProcessPool(1)) as pool, pytest.raises(StartError) as raised:
        pool.call(abs, -1)
    assert said in str(raised.value)


def test_output_of_a_process_after_its_start_is_discarded(pool: ProcessPool) -> None:
    assert Path(pool.call(os.readlink, "/proc/self/fd/2")).samefile(os.devnull)


# ------------------------------------------------------------------ programs with an embedded Python
def frozen(path: Path, code: str) -> Path:
    """Write a program that is its own interpreter, like those of PyInstaller: it ignores code in its arguments."""
    frozen = f"""\
        #!{sys.executable}
        import sys
        sys.path.insert(0, {str(ROOT)!r})
        sys.frozen, sys.executable = True, __file__
        {{}}
    """
    path.write_text(textwrap.dedent(frozen).format(code))
    path.chmod(0o755)
    return path


@pytest.mark.slow
def test_the_frozen_command_describes_in_worker_processes(album: Album, tmp_path: Path) -> None:
    focal = frozen(tmp_path / "focal", "from focal_photos.browser.cli import main; sys.exit(main())")
    album.draw_many(MIN_POOL_PHOTOS)
    library = ["--library", str(tmp_path / "library")]
    words = ["index", str(album.folder), "--descriptors", "color_moments", "--workers", "2", "--json", *library]
    indexed = subprocess.run([focal, *words], capture_output=True, text=True, check=False, timeout=120)
    assert indexed.returncode == 0, indexed.stderr
    assert "color moments" in indexed.stderr  # the time of a descriptor
    focal_image = str(next(album.folder.rglob("*.jpg")))
    ranked = subprocess.run(
        [focal, "rank", focal_image, *library], capture_output=True, text=True, check=False, timeout=120
    )
    assert len(ranked.stdout.splitlines()) == MIN_POOL_PHOTOS - 1


def test_another_frozen_program_with_support_has_worker_processes_too(tmp_path: Path) -> None:
    code = (
        "from focal_photos.browser.operations.workers.frozen import freeze_support; freeze_support()\n"
        "from focal_photos.browser.operations.workers.sandbox import sandbox\n"
        "print(sandbox().call(abs, -3), sys.argv[1:])"
    )
    program = frozen(tmp_path / "program", code)
    done = subprocess.run([program, "a", "b"], capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout, done.stderr) == ("3 ['a', 'b']\n", "")


def test_a_frozen_program_without_support_does_not_start_itself_repeatedly(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; Path(__file__).with_name('runs').open('a').write('.')\n"
        "from focal_photos.browser.operations.workers.sandbox import sandbox; sandbox().call(abs, -3)"
    )
    program = frozen(tmp_path / "program", code)
    done = subprocess.run([program], capture_output=True, text=True, check=False, timeout=120)
    assert "call Focal's freeze_support at its start" in done.stderr.splitlines()[-1]
    assert len((tmp_path / "runs").read_text()) <= 4
