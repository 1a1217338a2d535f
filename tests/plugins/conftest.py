# SPDX-License-Identifier: MIT
"""Installed plug-ins: the example package, and packages that are broken, slow or outdated."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from focal_photos import plugin_registry
from focal_photos.browser.operations.workers.sandbox import sandbox
from tests.browser.conftest import no_idle_processes
from tests.browser.operations.conftest import album, indexed
from tests.guide import ROOT

__all__ = ["album", "indexed", "no_idle_processes"]  # fixtures

EXAMPLE = ROOT / "tests" / "plugin_example"

Install = Callable[..., Path]
"""Installs a package: its name, the source of its only module, and its entry points by group."""


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder in which pip has built and installed the example package."""
    target = tmp_path_factory.mktemp("example") / "site"
    words = ["--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check", "--target"]
    source = target.with_name("source")
    subprocess.run(["cp", "-r", str(EXAMPLE), str(source)], check=True)
    install = [sys.executable, "-m", "pip", "install", *words, str(target), str(source)]
    subprocess.run(install, check=True, capture_output=True)
    return target


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """Put a folder of packages on the path of this process and its workers; afterwards, everything is forgotten.

    A process finds packages when it starts, so workers of earlier tests end, like after a restart of Focal.
    """
    before = set(sys.modules)
    folders: list[str] = []

    def add(folder: Path) -> None:
        folders.insert(0, str(folder))
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setenv("PYTHONPATH", ":".join(folders))
        importlib.invalidate_caches()
        plugin_registry.search_again()
        sandbox().release()  # and the idle processes

    yield add
    monkeypatch.undo()
    for name in set(sys.modules) - before:
        if name.startswith(("focal_example", "odd_")):
            del sys.modules[name]
    plugin_registry.search_again()
    sandbox().release()


@pytest.fixture
def with_example(example: Path, path: Callable[[Path], None]) -> None:
    """Install the example package for a test."""
    path(example)


@pytest.fixture
def install(path: Callable[[Path], None], tmp_path: Path) -> Install:
    """Install packages with one module; `interface` is None for packages that do not name one."""

    def make(name: str, source: str, interface: str | None = "1", version: str = "0.5", **entries: str) -> Path:
        site = tmp_path / "site"
        information = site / f"{name}-{version}.dist-info"
        information.mkdir(parents=True)
        (site / f"{name}.py").write_text(source, encoding="utf-8")
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        lines = [f"[focal_photos.{group}]\n{entry}\n" for group, entry in entries.items()]
        if interface is not None:
            lines.append(f"[focal_photos.interface]\n{interface} = {name}\n")
        (information / "entry_points.txt").write_text("".join(lines))
        path(site)
        return site

    return make
