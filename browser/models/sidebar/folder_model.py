# SPDX-License-Identifier: MIT
"""The photo folders as a tree with counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from focal_photos.browser.catalog.facts.records import Root
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Services
from focal_photos.browser.models.photos.formatting import unsupported_in_words
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.sidebar.tree_model import CountTreeModel, Node
from focal_photos.browser.operations.photos.offline import offline_roots
from focal_photos.browser.operations.photos.unsupported_files import Counts, passed_over


@dataclass(frozen=True)
class Folders:
    """The folders of a library."""

    of: Mapping[Root, Sequence[tuple[Path, int]]]
    """Folders of each root, relative to it, with the number of photos in and below them."""
    offline: Mapping[Path, str] = field(default_factory=dict)
    """The offline roots, with the reasons."""
    passed_over: Mapping[Path, Counts] = field(default_factory=dict)
    """Files of unsupported kinds in each root."""
    trees: Sequence[Node] = field(init=False)
    """The roots as trees; built in the thread that creates this object, because thousands of folders take 0.1 s."""

    def __post_init__(self) -> None:
        trees = [folder_tree(root.path, entries) for root, entries in self.of.items()]
        for root, tree in zip(self.of, trees, strict=True):
            if self.offline.get(root.path):
                _set_offline(tree)
        object.__setattr__(self, "trees", trees)


def read_folders(library: Library) -> Folders:
    """Read roots and folders; for the read lane."""
    of = {root: library.roots.folders(root.id) for root in library.roots.all()}
    return Folders(of, dict(offline_roots(library)), passed_over(library))


class FolderModel(CountTreeModel):
    """A tree of the roots and their folders. Keys are absolute paths."""

    def __init__(self, services: Services) -> None:
        super().__init__(services.owner)
        self._library, self._runner = services.library, services.runner
        self._folders = Folders({})
        self._polled: dict[Path, str] = {}
        services.feed.subscribe(self._take_changes, Kind.ROOTS, Kind.PHOTOS)

    def read(self) -> None:
        """Read the folders again."""
        self._runner.read("folders", lambda: read_folders(self._library), self.update_folders)

    def _take_changes(self, _changes: ChangeSet) -> None:
        self.read()

    def update_folders(self, folders: Folders) -> None:
        """Show these folders; the count of a folder includes the photos below it."""
        self._folders = folders
        self._show()

    def show_polled(self, reasons: Mapping[Path, str]) -> None:
        """Add to the tool tips of roots why they are polled."""
        self._polled = dict(reasons)
        self._show()

    def _show(self) -> None:
        offline, polled = self._folders.offline, self._polled
        trees = []
        for root, tree in zip(self._folders.of, self._folders.trees, strict=True):
            tip = tree.tip
            if offline.get(root.path):
                tip = self.tr("{0}\nOffline. {1}").format(tip, offline[root.path])
            elif polled.get(root.path):
                tip = f"{tip}\n{polled[root.path]}"
            if found := unsupported_in_words(self._folders.passed_over.get(root.path, {})):
                tip = f"{tip}\n{found}"
            trees.append(replace(tree, tip=tip))
        self.update_tree(trees)


def _set_offline(node: Node) -> None:
    node.faint = True
    for child in node.children:
        _set_offline(child)


def folder_tree(root: Path, entries: Iterable[tuple[Path, int]]) -> Node:
    """Return the tree of a root's folders; the count of a folder includes the photos below it."""
    top = Node(root, shown(root.name) or str(root), 0, "folder", shown(str(root)))
    # keyed by the names below the root, because paths are slow to compare
    nodes: dict[tuple[str, ...], Node] = {(): top}

    def node(names: tuple[str, ...]) -> Node:
        if names not in nodes:
            path = root.joinpath(*names)
            nodes[names] = Node(path, shown(names[-1]), 0, "folder", shown(str(path)))
            node(names[:-1]).children.append(nodes[names])
        return nodes[names]

    for relative, count in entries:
        node(relative.parts).count = count
    for each in nodes.values():
        each.children.sort(key=lambda child: child.title.casefold())
    return top
