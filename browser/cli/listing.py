"""Commands that write what is known: list, export, metrics. They load no learner."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TextIO

from browser.catalog.library import Library
from browser.cli.terminal import Terminal, WrongUseError, metric_document, shown
from browser.operations.export import Format, export_judgements, export_photos, photo_records


def list(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal list QUERY``."""
    for record in photo_records(library, " ".join(arguments.words)):
        terminal.line(record, shown(Path(record["path"])))
    return 0


def export(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal export``."""
    form: Format = arguments.format or ("jsonl" if terminal.as_json else "csv")
    write: Callable[[Library, TextIO, Format], int]
    if arguments.what == "photos":
        write = partial(export_photos, query=arguments.query)
    elif arguments.query:
        raise WrongUseError("--query chooses photos, not judgements: leave one out")
    else:
        write = export_judgements
    if arguments.output is None:
        if terminal.as_json and form == "csv":
            raise WrongUseError("CSV is not JSON: add --output FILE, or leave --json out")
        write(library, sys.stdout, form)
        return 0
    with arguments.output.open("w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
        lines = write(library, stream, form)
    path = arguments.output.absolute()
    terminal.result({"file": str(path), "lines": lines}, f"{lines} lines in {shown(path)}")
    return 0


def metrics(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal metrics [--use NAME]``."""
    if arguments.use is not None:
        library.metrics.set_current(library.metrics.by_name(arguments.use).id)
    current = library.metrics.current()
    every = library.metrics.all()
    text = [
        f"{'*' if metric.id == current.id else ' '} {metric.name:<20} {metric.title}"
        + (
            f", {metric.judgements} judgements, {metric.tagged} tagged photos, {metric.at:%Y-%m-%d %H:%M}"
            if metric.file
            else ""
        )
        for metric in every
    ]
    terminal.result({"current": current.name, "metrics": [metric_document(metric) for metric in every]}, text)
    return 0
