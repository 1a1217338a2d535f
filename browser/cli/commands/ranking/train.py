# SPDX-License-Identifier: MIT
"""``focal train``: train a metric."""

from __future__ import annotations

import argparse
import math
import time
from typing import TYPE_CHECKING, Any

from focal_photos.browser.cli.arguments import Parser, add_parameters
from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.commands.cluster import add_cluster, scheduler_of
from focal_photos.browser.cli.commands.ranking.metric_text import metric_document, weights_line
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.training import automatic, held_out, learner_table, train
from focal_photos.browser.operations.training import parameters as parameter_values

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library
    from focal_photos.learners.evaluation.selection import HeldOut


def add_arguments(parser: Parser) -> None:
    """Add the learner, its parameters, and the training data."""
    parser.add_argument(
        "--learner", default="kernel", metavar="NAME", help="default: kernel; automatic: whichever ranks best"
    )
    add_parameters(parser, "of the learner")
    parser.add_argument(
        "--paper", action="store_true", help="the learner as printed in its paper, except for the given parameters"
    )
    parser.add_argument("--without-tags", action="store_true", help="learn from judgements alone")
    parser.add_argument("--without-judgements", action="store_true", help="learn from tags alone")
    parser.add_argument("--keep", action="store_true", help="keep and use the metric even if it gains nothing")
    add_cluster(parser, "learns local distances, or tries the learners of automatic")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal train --learner NAME [--paper] [--parameter NAME=VALUE ...]``."""
    if arguments.without_tags and arguments.without_judgements:
        raise WrongUseError("without tags and without judgements there is nothing to learn from: leave one out")
    start = time.perf_counter()
    parameters = parameter_values.read(arguments.parameters)
    outcome = terminal.run(
        train.train_for_gain(
            library,
            arguments.learner,
            parameters=parameters,
            paper=arguments.paper,
            use_tags=not arguments.without_tags,
            use_judgements=not arguments.without_judgements,
            keep_all=arguments.keep,
            scheduler=scheduler_of(arguments),
        )
    )
    seconds = time.perf_counter() - start
    metric, found = outcome.metric, outcome.found
    document: dict[str, Any] = {"metric": None, "learner": arguments.learner}
    text = []
    if metric is not None:
        document = metric_document(metric)
        data = f"{metric.judgements} judgements and {metric.tagged} tagged photos"
        text.append(f"{metric.title} from {data}, {seconds:.1f} s")
    document |= {"seconds": round(seconds, 3), "held_out": None}
    weights = learner_table.family_weights(library, metric) if metric is not None else {}
    if weights:
        text.append(weights_line(weights))
        document["families"] = weights
    if isinstance(found, automatic.Choice):
        text.append(found.sentence)
        document |= _chosen(found)
    elif found is not None:
        text.append(held_out.sentence(found))
        document["held_out"] = _measured(found)
    elif metric is not None and (metric.judgements or metric.tagged):
        text.append("what it gained was not measured")
    if metric is None:
        used = library.metrics.current().title
        text.append(f"Nothing was added to the history, and {used} is in use; --keep keeps such a metric too.")
    terminal.result(document, text)
    return 0


def _chosen(choice: automatic.Choice) -> dict[str, Any]:
    return {
        "chosen": choice.chosen,
        "parameters": dict(choice.parameters),
        **_measured(choice),
        "tried": choice.tried,
    }


def _measured(found: HeldOut) -> dict[str, Any]:
    numbers = {name: getattr(found, name) for name in ("score", "euclidean", "gain", "error")}
    return {
        "measure": f"precision@{found.k}" if found.measure == "precision" else "order",
        **{name: round(number, 5) if math.isfinite(number) else None for name, number in numbers.items()},
        "questions": found.questions,
    }


COMMAND = Command(
    "learn a metric from the judgements and tags; it becomes the current one unless it gains nothing",
    run,
    add_arguments=add_arguments,
    in_window=lambda arguments: arguments.backend == "here" and arguments.scheduler is None,
    epilog=(
        "Example: focal train --learner rca --parameter ridge=0.3. focal metrics --learners lists what can be trained."
    ),
)
