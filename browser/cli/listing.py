"""Commands that write what is known: list, export, metrics. They load no learner, unless one was trained."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TextIO

from browser.catalog.facts.tags import normalise
from browser.catalog.library import Library
from browser.cli.terminal import Terminal, WrongUseError, metric_document, shown, weights_line
from browser.operations.exchange.csv_format import CSV
from browser.operations.exchange.export_file import export_judgements, export_photos
from browser.operations.exchange.file_format import FileFormat
from browser.operations.exchange.formats import FORMATS
from browser.operations.exchange.records import photo_records


def list(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal list QUERY``."""
    for record in photo_records(library, " ".join(arguments.words)):
        terminal.line(record, shown(Path(record["path"])))
    return 0


def tags(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal tags [--related TAG]``."""
    if arguments.related is None:
        listed = library.tags.all()
        terminal.result(
            {"tags": [{"tag": tag.name, "photos": tag.count} for tag in listed]},
            (f"{tag.count:>7}  {tag.name}" for tag in listed),
        )
        return 0
    from browser.operations.tagging.related import related_tags

    found = terminal.run(related_tags(library, arguments.related, limit=arguments.limit))
    terminal.result(
        {"tag": normalise(arguments.related), "related": [asdict(one) for one in found]},
        (f"{one.distance:.4f}  {one.tag} ({one.photos})" for one in found),
    )
    return 0


def export(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal export``."""
    form = FORMATS[arguments.format or ("jsonl" if terminal.as_json else "csv")]
    write: Callable[[Library, TextIO, FileFormat], int]
    if arguments.what == "photos":
        write = partial(export_photos, query=arguments.query)
    elif arguments.query:
        raise WrongUseError("--query chooses photos, not judgements: leave one out")
    else:
        write = export_judgements
    if arguments.output is None:
        if terminal.as_json and form is CSV:
            raise WrongUseError("CSV is not JSON: add --output FILE, or leave --json out")
        write(library, sys.stdout, form)
        return 0
    with arguments.output.open("w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
        lines = write(library, stream, form)
    path = arguments.output.absolute()
    terminal.result({"file": str(path), "lines": lines}, f"{lines} lines in {shown(path)}")
    return 0


def metrics(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal metrics [--use NAME]`` and ``focal metrics --learners``."""
    if arguments.learners:
        if arguments.use is not None:
            raise WrongUseError("--learners lists what can be trained: leave --use out")
        return _learners(terminal)
    if arguments.use is not None:
        library.metrics.set_current(library.metrics.by_name(arguments.use).id)
    current = library.metrics.current()
    documents, text = [], []
    for metric in library.metrics.all():
        mark = "*" if metric.id == current.id else " "
        line = f"{mark} {metric.name:<20} {metric.title}"
        document = metric_document(metric)
        if metric.file:
            from browser.operations.training.learner_table import family_weights  # learners take a second to load

            line += f", {metric.judgements} judgements, {metric.tagged} tagged photos, {metric.at:%Y-%m-%d %H:%M}"
            weights = family_weights(library, metric)
            if weights:
                document["families"] = weights
        text.append(line)
        if document.get("families"):
            text.append(f"  {'':<20} {weights_line(document['families'])}")
        documents.append(document)
    terminal.result({"current": current.name, "metrics": documents}, text)
    return 0


def _learners(terminal: Terminal) -> int:
    from browser.operations.training.learner_table import AUTOMATIC, learner_table
    from browser.operations.training.parameters import defaults

    documents, text, family = [], [], ""
    for one in (AUTOMATIC, *learner_table()):
        parameters = {} if one is AUTOMATIC else defaults(one.name)
        documents.append({**asdict(one), "parameters": parameters})
        if one.family != family:
            family = one.family
            text.append(f"{family}:")
        text.append(f"  {one.name:<20} {one.text} ({one.source})" if one.source else f"  {one.name:<20} {one.text}")
        text.append(f"  {'':<20} {' '.join(f'{name}={json.dumps(value)}' for name, value in parameters.items())}")
    terminal.result({"learners": documents}, text)
    return 0
