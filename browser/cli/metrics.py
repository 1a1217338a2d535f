"""Commands that use and learn metrics: rank, train, suggest."""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

from browser.catalog.facts.query import Missing, Not, Query, parse
from browser.catalog.library import Library
from browser.cli.terminal import Terminal, WrongUseError, metric_document, shown, weights_line
from browser.operations.photos.find import find_photos
from browser.operations.ranking.rank import Ranker
from browser.operations.tagging.suggest import suggest as suggest_tags
from browser.operations.training.automatic import Choice, train_automatic
from browser.operations.training.learner_table import AUTOMATIC, family_weights
from browser.operations.training.parameters import read as read_parameters
from browser.operations.training.train import train as train_metric


def rank(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal rank IMAGE``."""
    image = arguments.image.absolute()
    among = library.photos.listed(_present(parse(arguments.query)))
    ranking = Ranker(library).rank(image, arguments.metric, limit=arguments.limit, among=among)
    paths = library.photos.paths(ranking.photo_ids)
    distances = ranking.distances.tolist()
    photo = library.photos.by_path(image)
    if ranking.focal_id is not None and (photo is None or photo.id != ranking.focal_id):
        (image,) = library.photos.paths([ranking.focal_id])  # a copy, or a file that was moved
    document = {
        "focal": str(image),
        "metric": ranking.metric.name,
        "results": [{"path": str(p), "distance": d} for p, d in zip(paths, distances, strict=True)],
    }
    terminal.result(document, (f"{d:.4f}  {shown(p)}" for p, d in zip(paths, distances, strict=True)))
    return 0


def _present(query: Query) -> Query:
    """Return a query without missing photos, unless it speaks of them itself."""
    spoken = any(isinstance(term.term if isinstance(term, Not) else term, Missing) for term in query.terms)
    return query if spoken else Query((*query.terms, Not(Missing())))


def train(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal train --learner NAME [--parameter NAME=VALUE ...]``."""
    if arguments.without_tags and arguments.without_judgements:
        raise WrongUseError("without tags and without judgements there is nothing to learn from: leave one out")
    start = time.perf_counter()
    parameters = read_parameters(arguments.parameters)
    use = {"use_tags": not arguments.without_tags, "use_judgements": not arguments.without_judgements}
    choice = None
    if arguments.learner == AUTOMATIC.name and not parameters:
        choice = terminal.run(train_automatic(library, **use))
        metric = choice.metric
    else:
        metric = terminal.run(train_metric(library, arguments.learner, parameters=parameters, **use))
    seconds = time.perf_counter() - start
    weights = family_weights(library, metric)
    text = [f"{metric.title} from {metric.judgements} judgements and {metric.tagged} tagged photos, {seconds:.1f} s"]
    if weights:
        text.append(weights_line(weights))
    if choice is not None:
        text.append(choice.sentence)
    document = {**metric_document(metric), "seconds": round(seconds, 3)}
    if choice is not None:
        document |= _chosen(choice)
    terminal.result({**document, "families": weights} if weights else document, text)
    return 0


def _chosen(choice: Choice) -> dict[str, Any]:
    numbers = {name: getattr(choice, name) for name in ("score", "euclidean", "gain", "error")}
    return {
        "chosen": choice.chosen,
        "parameters": dict(choice.parameters),
        "measure": f"precision@{choice.k}" if choice.measure == "precision" else "order",
        **{name: round(number, 5) if math.isfinite(number) else None for name, number in numbers.items()},
        "questions": choice.questions,
        "tried": choice.tried,
    }


def suggest(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal suggest [IMAGE...|--untagged]``."""
    if arguments.images and arguments.untagged:
        raise WrongUseError("name photos or write --untagged, not both")
    ids = find_photos(library, arguments.images) if arguments.images else None
    report = terminal.run(
        suggest_tags(library, Ranker(library), ids, per_photo=arguments.per_photo, metric=arguments.metric)
    )
    if library.read_only:
        terminal.say("focal: another program has the library open: the suggestions are shown, not kept")
    photo_ids = list(report.by_photo)
    witnesses = sorted({w for many in report.by_photo.values() for one in many for w in one.witnesses})
    path_of = dict(zip(witnesses, library.photos.paths(witnesses), strict=True))
    for photo_id, path in zip(photo_ids, library.photos.paths(photo_ids), strict=True):
        suggestions = report.by_photo[photo_id]
        document = {
            "path": str(path),
            "suggestions": [
                {"tag": s.tag, "confidence": s.confidence, "witnesses": [str(path_of[w]) for w in s.witnesses]}
                for s in suggestions
            ],
        }
        tags = ", ".join(f"{s.tag} {s.confidence:.2f}" for s in suggestions)
        terminal.line(document, f"{shown(path)}: {tags}")
    return 0
