# SPDX-License-Identifier: MIT
"""``focal certify``: audit the tags by a random sample, and report their quality."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.catalog.text import counted
from focal_photos.browser.cli.arguments import Parser, positive
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.commands.tagging.signed_tags import signed_tags
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.exchange import export_file, overwriting
from focal_photos.browser.operations.exchange.certificates import (
    audit_table,
    certificate_file,
    certificate_page,
    planted_photos,
)
from focal_photos.browser.operations.ranking import ranker
from focal_photos.browser.operations.tagging.audit import accept_rest, certificate, draw

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the steps of an audit, in order."""
    parser.add_argument("--begin", action="store_true", help="draw photos for a new audit, in place of the last one")
    parser.add_argument("--add", dest="tags", action="append", default=[], metavar="TAG", help="the same as +TAG")
    parser.add_argument(
        "--per-tag", type=positive, metavar="N", help="with --begin: photos to draw for each tag (default: 50)"
    )
    parser.add_argument("--query", metavar="QUERY", help="with --begin: only photos that match (see focal list)")
    parser.add_argument(
        "--planted",
        type=Path,
        metavar="FILE",
        help="with --begin: mix in photos with known tags: JSON Lines, or a folder with a folder for each tag",
    )
    parser.add_argument("--questions", type=Path, metavar="FILE", help="write the drawn photos as a CSV table")
    parser.add_argument(
        "--blind",
        action="store_true",
        help="with --begin: a second pass, which hides the tags and keeps them; with --questions: hide the tags",
    )
    parser.add_argument(
        "--answers", type=Path, metavar="FILE", help="take the column present (yes, no) of such a table"
    )
    parser.add_argument("--keep-tags", action="store_true", help="with --answers: correct no tags")
    parser.add_argument(
        "--accept-rest", action="store_true", help="accept suggestions that are right in 95 %% of cases"
    )
    parser.add_argument("--export", type=Path, metavar="FILE", help="write the certificate: .html is a page, else JSON")
    parser.add_argument("--force", action="store_true", help="write over a FILE of another kind too; photos are safe")


def _access(arguments: argparse.Namespace) -> Access:
    writes = arguments.begin or arguments.answers is not None or arguments.accept_rest
    return Access.WRITE if writes else Access.READ


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal certify [--begin [+TAG...]] [--answers FILE] [--accept-rest] [--export FILE]``."""
    named = {"+TAG": "tags", "--per-tag": "per_tag", "--query": "query", "--planted": "planted"}
    for option, given in ((option, getattr(arguments, name)) for option, name in named.items()):
        if given and not arguments.begin:
            raise WrongUseError(f"{option} says what a new audit is about: add --begin")
    if arguments.blind and arguments.questions is None and not arguments.begin:
        raise WrongUseError("--blind hides the tags in a second pass: add --questions FILE or --begin")
    document: dict[str, object] = {}
    text: list[str] = []
    if arguments.begin:
        text.append(_begin(library, arguments, terminal))
    if arguments.answers is not None:
        correct = False if arguments.keep_tags else None  # None: unless the audit is blind
        changes = audit_table.read_answers(library, arguments.answers, correct=correct)
        text.append(changes.label or "Nothing was answered.")
    if arguments.questions is not None:
        document["questions"] = _write_questions(library, arguments)
        text.append(f"{document['questions']} questions in {path_text(arguments.questions)}")
    if arguments.accept_rest:
        accepted, label = _accept_rest(library, terminal)
        document["accepted"] = accepted
        text.append(label)
    found = certificate.read_certificate(library)
    document["drawn"] = len(library.audits.drawn())
    if found is None:
        document["certificate"] = None
        text.append(_no_certificate(library))
    else:
        document.update(_document(found))
        text += _lines(found)
    if arguments.export is not None:
        if found is None:
            raise WrongUseError("There is no certificate yet: answer photos of an audit first")
        certificate_file.write_certificate(library, found, arguments.export, force=arguments.force)
        document["file"] = str(arguments.export)
        text.append(f"certificate in {path_text(arguments.export)}")
    terminal.result(document, text)
    return 0


def _begin(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> str:
    query = arguments.query or ""
    ids = library.photos.ids(query).tolist() if query else None
    answers = arguments.per_tag or draw.ANSWERS
    job = draw.draw_audit(
        library,
        ranker.Ranker(library),
        tags=arguments.tags,
        answers=answers,
        ids=ids,
        scope=query,
        blind=arguments.blind,
        planted=planted_photos.read_planted(library, arguments.planted) if arguments.planted else None,
    )
    terminal.run(job)
    drawn = library.audits.drawn()
    return f"{len(drawn)} photos were drawn for {len({one.tag for one in drawn})} tags"


def _write_questions(library: Library, arguments: argparse.Namespace) -> int:
    overwriting.require_replaceable(library, arguments.questions, (".csv",), force=arguments.force)
    with export_file.output_file(arguments.questions) as stream:
        return audit_table.write_questions(library, stream, blind=arguments.blind or library.audits.blind)


def _accept_rest(library: Library, terminal: Terminal) -> tuple[int, str]:
    found = terminal.run(accept_rest.find_rest(library, ranker.Ranker(library)))
    changes = library.suggestions.accept(found.pairs)
    return len(found.pairs), changes.label or "No open suggestion is right in 95 % of cases."


def _no_certificate(library: Library) -> str:
    drawn = library.audits.drawn()
    if drawn:
        return f"No photo is answered yet, of {len(drawn)} that were drawn: add --questions FILE, or open Review."
    return "There is no audit yet: add --begin, or open Review and choose Am I done?"


def _document(found: certificate.Certificate) -> dict[str, object]:
    return {"certificate": certificate_file.as_document(found)}


def _lines(found: certificate.Certificate) -> list[str]:
    page = certificate_page
    lines = [page.sentence(found)]
    for each in found.tags:
        precision, missing, recall = page.estimate_texts(each.estimate)
        old = " (out of date)" if each.changed else ""
        lines.append(f"{each.tag}: {precision} right, {missing} missing, {recall} found{old}")
    for each in found.tags:
        how = "self-agreement: the tags were hidden" if found.blind else "between the tags and the answers"
        lines.append(f"{each.tag}: kappa {page.kappa(each.agreement)}, {how}")
    for person in found.people:
        answers, precision, recall = page.person_texts(person)
        lines.append(f"{person.name}: {precision} right, {recall} found, in {answers} answers to planted photos")
    for record in found.agreements:
        names, merged = ", ".join(record.people), " (merged before)" if record.merged else ""
        lines += [
            f"{one.tag}: kappa {page.kappa(one.kappa)}, alpha {page.kappa(one.alpha)}, "
            f"{counted(one.disagreements, '1 disagreement', '{0} disagreements')} in "
            f"{counted(one.photos, '1 photo', '{0} photos')}, between {names}{merged}"
            for one in record.tags
        ]
    return [*lines, page.CHANGED] if found.changed else lines


COMMAND = Command(
    "audit tags by a random sample, and say how good they are",
    run,
    _access,
    add_arguments,
    epilog="Example: focal certify --begin +fox --questions fox.csv, then focal certify --answers fox.csv",
    reword=signed_tags,
    in_window=True,
)
