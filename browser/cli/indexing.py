"""Commands that take photos in and look after them: index, check, demo."""

from __future__ import annotations

import argparse

from browser.catalog.library import Library
from browser.cli.terminal import Terminal, WrongUseError, shown
from browser.operations.describing.enabled import choose, table
from browser.operations.library.check import check as check_library
from browser.operations.library.index import IndexReport
from browser.operations.library.index import index as index_folders


def index(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal index DIR...``."""
    if not arguments.folders and not library.roots.all():
        raise WrongUseError("the library has no photo folder yet: name one")
    if arguments.scheduler is not None and arguments.backend != "dask":
        raise WrongUseError("--scheduler is the address of a Dask cluster: add --backend dask")
    if arguments.backend == "dask" and arguments.scheduler is None:
        raise WrongUseError("--backend dask needs the address of the cluster: add --scheduler ADDRESS")
    if arguments.descriptors is not None:
        choose(library, _wanted(library, arguments.descriptors))
    folders = [folder.absolute() for folder in arguments.folders]
    job = index_folders(
        library,
        folders,
        workers=arguments.workers,
        retry=arguments.retry,
        backend=arguments.backend,
        scheduler=arguments.scheduler,
    )
    report = terminal.run(job)
    if report.learn.learned:
        terminal.say(f"Learned from {report.learn.photos} photos: {', '.join(report.learn.learned)}")
    _say_stages(report, terminal)
    failed = [f"{shown(path)}: {reason}" for path, reason in report.failed]
    counts = f"{report.photos} photos, {report.new} new, {len(report.failed)} failed, {report.seconds:.1f} s"
    terminal.result(index_document(report), [*failed, counts])
    return 0


def _wanted(library: Library, text: str) -> list[str] | None:
    """Return the names that ``--descriptors`` means; None for the standard ones."""
    if text == "standard":
        return None
    if text == "all":
        return list(table(library))
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise WrongUseError("--descriptors takes names separated by commas, standard, or all")
    return names


def index_document(report: IndexReport) -> dict[str, object]:
    """Return the JSON document of ``focal index``."""
    return {
        "photos": report.photos,
        "new": report.new,
        "failed": [{"path": str(path), "reason": reason} for path, reason in report.failed],
        "seconds": round(report.seconds, 3),
    }


def _say_stages(report: IndexReport, terminal: Terminal) -> None:
    if report.stages:
        stages = ", ".join(f"{stage.replace('_', ' ')} {ms:.1f}" for stage, ms in report.stages.items())
        terminal.say(f"Milliseconds a photo: {stages}")


def check(library: Library, _arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal check``."""
    report = terminal.run(check_library(library))
    document = {"problems": report.problems, "repaired": report.repaired}
    text = [*report.problems, *(f"Repaired: {line}" for line in report.repaired)]
    terminal.result(document, text or "Nothing is wrong.")
    return 1 if report.problems else 0


def demo(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal demo [DIR]``."""
    from browser.operations.library.demo import demo as make_demo  # here: the program that draws is large

    report = terminal.run(make_demo(library, arguments.folder, count=arguments.count))
    document = {
        "folder": str(report.folder),
        "library": str(library.path),
        "photos": report.index.photos,
        "new": report.index.new,
        "tagged": report.tagged,
        "failed": index_document(report.index)["failed"],
    }
    text = [
        f"{report.index.photos} pictures in {shown(report.folder)}, {report.tagged} tagged now.",
        f"Open them with: focal --library {shown(library.path)}",
    ]
    terminal.result(document, text)
    return 0
