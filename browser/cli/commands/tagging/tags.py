# SPDX-License-Identifier: MIT
"""``focal tags``: list tags and related ones, rename, merge and delete them, and manage aliases."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from focal_photos.browser.catalog.facts import tags
from focal_photos.browser.cli.arguments import Parser, positive
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.tagging import related

if TYPE_CHECKING:
    from focal_photos.browser.catalog.facts.vocabulary import Vocabulary
    from focal_photos.browser.catalog.library import Library
    from focal_photos.browser.catalog.store.changes import ChangeSet

_EXCLUSIVE_OPTIONS: Final = (
    "--related, --rename, --merge, --delete, --alias and --remove-alias stand alone: leave all but one out"
)


def add_arguments(parser: Parser) -> None:
    """Add the choice of the list, and the actions."""
    parser.add_argument("--related", metavar="TAG", help="the tags that go with TAG, nearest first")
    parser.add_argument("--limit", type=positive, default=10, metavar="N", help="at most N related tags (default: 10)")
    parser.add_argument("--rename", nargs=2, metavar=("TAG", "NEW"), help="with those below it; NEW may be ANOTHER/NEW")
    parser.add_argument("--merge", nargs="+", metavar="TAG", help="make tags one, --into another")
    parser.add_argument("--into", metavar="TAG", help="what the tags of --merge become")
    parser.add_argument("--delete", nargs="+", metavar="TAG", help="take tags and those below them off all photos")
    parser.add_argument("--alias", nargs=2, metavar=("NAME", "TAG"), help="make NAME an alias of TAG")
    parser.add_argument("--remove-alias", metavar="NAME", help="remove the alias NAME")
    parser.add_argument("--dry-run", action="store_true", help="say what renaming, merging or deleting touches")


def _wanted(arguments: argparse.Namespace) -> list[str]:
    """Return the options that were given, of those that exclude each other."""
    every = ("related", "rename", "merge", "delete", "alias", "remove_alias")
    return [name for name in every if getattr(arguments, name) is not None]


def _access(arguments: argparse.Namespace) -> Access:
    reads = arguments.dry_run or not set(_wanted(arguments)) - {"related"}
    return Access.READ if reads else Access.WRITE


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal tags``, with at most one of its options."""
    wanted = _wanted(arguments)
    if len(wanted) > 1:
        raise WrongUseError(_EXCLUSIVE_OPTIONS)
    if (arguments.merge is None) is not (arguments.into is None):
        raise WrongUseError("--merge and --into belong together, such as: focal tags --merge dog hound --into animal")
    if wanted == ["related"]:
        return _show_related(library, arguments, terminal)
    if wanted:
        return _change(library.vocabulary, arguments, wanted[0], terminal)
    if arguments.dry_run:
        raise WrongUseError("--dry-run says what --rename, --merge or --delete touches: name one of them")
    listed = library.tags.all()
    others: dict[str, list[str]] = {}
    for alias in library.vocabulary.aliases():
        others.setdefault(alias.tag, []).append(alias.name)
    terminal.result(
        {"tags": [{"tag": one.name, "photos": one.count, "aliases": others.get(one.name, [])} for one in listed]},
        (f"{one.count:>7}  {' = '.join([one.name, *others.get(one.name, [])])}" for one in listed),
    )
    return 0


def _show_related(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    found = terminal.run(related.related_tags(library, arguments.related, limit=arguments.limit))
    terminal.result(
        {"tag": tags.normalise(arguments.related), "related": [asdict(one) for one in found]},
        (f"{one.distance:.4f}  {one.tag} ({one.photos})" for one in found),
    )
    return 0


def _change(vocabulary: Vocabulary, arguments: argparse.Namespace, wanted: str, terminal: Terminal) -> int:
    """Change the names of tags, or show what would be affected."""
    touching: dict[str, list[str]] = {
        "rename": (arguments.rename or [])[:1],
        "merge": arguments.merge or [],
        "delete": arguments.delete or [],
    }
    changes: dict[str, Callable[[], ChangeSet]] = {
        "rename": lambda: vocabulary.rename(*arguments.rename),
        "merge": lambda: vocabulary.merge(arguments.merge, arguments.into),
        "delete": lambda: vocabulary.delete(arguments.delete),
        "alias": lambda: vocabulary.add_alias(*arguments.alias),
        "remove_alias": lambda: vocabulary.remove_alias(arguments.remove_alias),
    }
    if arguments.dry_run and wanted not in touching:
        raise WrongUseError("--dry-run says what --rename, --merge or --delete touches")
    touched = vocabulary.touched(touching.get(wanted, []))
    label = "" if arguments.dry_run else changes[wanted]().label
    document: dict[str, Any] = {"touched": asdict(touched), "done": label}
    text = []
    if wanted in touching:
        text.append(
            f"{len(touched.tags)} tags, {touched.photos} photos, {touched.suggestions} suggestions, "
            f"{touched.rejections} rejections, {len(touched.digits)} digits, {len(touched.searches)} saved searches, "
            f"{len(touched.aliases)} other names"
        )
    if not arguments.dry_run:
        text.append(label or "Nothing to change.")
    terminal.result(document, text)
    return 0


COMMAND = Command(
    "list the tags, rename, merge and delete them",
    run,
    _access,
    add_arguments,
    epilog="A tag is put under another one by its name: focal tags --rename dog animal/dog",
    in_window=True,
)
