"""The photo folders as a tree with counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject

from focal_photos.browser.catalog.facts.records import Root
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.sidebar.tree_model import CountTreeModel, Node
from focal_photos.browser.operations.photos.away import away_roots


@dataclass(frozen=True)
class Folders:
    """The folders of a library.

    Attributes
    ----------
    of : mapping of Root to sequence of (Path, int)
        For each root its folders, relative to it, with the number of photos directly inside.
    away : mapping of Path to str
        The roots that are away, with the reasons.
    """

    of: Mapping[Root, Sequence[tuple[Path, int]]]
    away: Mapping[Path, str] = field(default_factory=dict)


def read_folders(library: Library) -> Folders:
    """Read roots and folders; for the read lane."""
    of = {root: library.roots.folders(root.id) for root in library.roots.all()}
    return Folders(of, dict(away_roots(library)))


class FolderModel(CountTreeModel):
    """Roots with their folders below. Keys are absolute paths."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folders = Folders({})
        self._polled: dict[Path, str] = {}

    def update_folders(self, folders: Folders) -> None:
        """Show these folders; a folder counts the photos below it too."""
        self._folders = folders
        self._show()

    def show_polled(self, reasons: Mapping[Path, str]) -> None:
        """Say of roots why they are looked through again and again."""
        self._polled = dict(reasons)
        self._show()

    def _show(self) -> None:
        trees = []
        for root, entries in self._folders.of.items():
            tree = folder_tree(root.path, entries)
            away, polled = self._folders.away.get(root.path, ""), self._polled.get(root.path, "")
            if away:
                tree.tip = self.tr("{0}\nAway. {1}").format(tree.tip, away)
                _set_away(tree)
            elif polled:
                tree.tip = f"{tree.tip}\n{polled}"
            trees.append(tree)
        self.update_tree(trees)


def _set_away(node: Node) -> None:
    node.faint = True
    for child in node.children:
        _set_away(child)


def folder_tree(root: Path, entries: Iterable[tuple[Path, int]]) -> Node:
    """Return a root as a tree."""
    top = Node(root, shown(root.name) or str(root), 0, "folder", shown(str(root)))
    nodes: dict[Path, Node] = {root: top}

    def node(path: Path) -> Node:
        if path not in nodes:
            nodes[path] = Node(path, shown(path.name), 0, "folder", shown(str(path)))
            node(path.parent).children.append(nodes[path])
        return nodes[path]

    for relative, count in entries:
        path = root / relative
        node(path)
        for above in [path, *path.parents]:
            nodes[above].count += count
            if above == root:
                break
    for each in nodes.values():
        each.children.sort(key=lambda child: child.title.casefold())
    return top
