"""The photo folders as a tree with counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from browser.catalog.facts.records import Root
from browser.catalog.library import Library
from browser.models.photos.tiles import shown
from browser.models.sidebar.tree_model import CountTreeModel, Node

Folders = Mapping[Root, Sequence[tuple[Path, int]]]
"""For each root its folders, relative to it, with the number of photos directly inside."""


def read_folders(library: Library) -> Folders:
    """Read roots and folders; for the read lane."""
    return {root: library.roots.folders(root.id) for root in library.roots.all()}


class FolderModel(CountTreeModel):
    """Roots with their folders below. Keys are absolute paths."""

    def update_folders(self, folders: Folders) -> None:
        """Show these folders; a folder counts the photos below it too."""
        self.update_tree([folder_tree(root.path, entries) for root, entries in folders.items()])


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
