# SPDX-License-Identifier: MIT
"""``focal metrics``: list, choose, rename and delete metrics, or list the learners."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.commands.ranking.metric_text import metric_document, weights_line
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.training import held_out, learner_table, parameters

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the actions, and the choice of the list."""
    parser.add_argument("--use", metavar="NAME", help="make this metric the current one")
    parser.add_argument("--rename", nargs=2, metavar=("NAME", "TITLE"), help="give a metric another title")
    parser.add_argument("--delete", metavar="NAME", help="take a metric out of the history; undo brings it back")
    parser.add_argument("--learners", action="store_true", help="list what can be trained instead, with its parameters")


def _access(arguments: argparse.Namespace) -> Access:
    changes = (arguments.use, arguments.rename, arguments.delete)
    return Access.READ if all(one is None for one in changes) else Access.WRITE


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal metrics [--use NAME]`` or ``focal metrics --learners``."""
    if arguments.learners:
        if _access(arguments) is Access.WRITE:
            raise WrongUseError("--learners lists what can be trained: leave --use, --rename and --delete out")
        return _list_learners(terminal)
    if arguments.use is not None:
        library.metrics.set_current(library.metrics.by_name(arguments.use).id)
    if arguments.rename is not None:
        name, title = arguments.rename
        library.metrics.rename(library.metrics.by_name(name).id, title)
    if arguments.delete is not None:
        library.metrics.delete([library.metrics.by_name(arguments.delete).id])
    current = library.metrics.current()
    measured = library.metrics.scores()
    gained = {}
    if measured:
        gained = held_out.saved_held_out(library)
    documents, text = [], []
    for metric in library.metrics.all():
        mark = "*" if metric.id == current.id else " "
        line = f"{mark} {metric.name:<20} {metric.title}"
        document = {**metric_document(metric), "scores": measured.get(metric.id)}
        if metric.file:
            line += f", {metric.judgements} judgements, {metric.tagged} tagged photos, {metric.at:%Y-%m-%d %H:%M}"
            if metric.id in gained:
                line += f"; {held_out.sentence(gained[metric.id])}"
            weights = learner_table.family_weights(library, metric)
            if weights:
                document["families"] = weights
        text.append(line)
        if document.get("families"):
            text.append(f"  {'':<20} {weights_line(document['families'])}")
        documents.append(document)
    terminal.result({"current": current.name, "metrics": documents}, text)
    return 0


def _list_learners(terminal: Terminal) -> int:
    documents, text, family = [], [], ""
    for one in (learner_table.AUTOMATIC, *learner_table.learner_table()):
        values = {} if one is learner_table.AUTOMATIC else parameters.defaults(one.name)
        documents.append({**asdict(one), "parameters": values})
        if one.family != family:
            family = one.family
            text.append(f"{family}:")
        text.append(f"  {one.name:<20} {one.text} ({one.source})" if one.source else f"  {one.name:<20} {one.text}")
        text.append(f"  {'':<20} {' '.join(f'{name}={json.dumps(value)}' for name, value in values.items())}")
    terminal.result({"learners": documents}, text)
    return 0


COMMAND = Command("list the metrics, or choose one", run, _access, add_arguments, in_window=True)
