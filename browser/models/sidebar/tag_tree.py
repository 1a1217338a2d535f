# SPDX-License-Identifier: MIT
"""The tags as a tree with counts."""

from __future__ import annotations

from collections.abc import Iterable

from focal_photos.browser.catalog.facts.records import Tag
from focal_photos.browser.models.sidebar.tree_model import Node


def tag_tree(tags: Iterable[Tag]) -> list[Node]:
    """Return the tags as trees, sorted alphabetically on each level: ``animal/dog`` is a child of ``animal``.

    Keys are whole names. The count of a level that is not a tag itself is the sum of the counts below it.
    """
    roots: list[Node] = []
    nodes: dict[str, Node] = {}
    own: set[str] = set()

    def node(name: str) -> Node:
        if name not in nodes:
            above, _, title = name.rpartition("/")
            nodes[name] = Node(name, title, 0, "tag", name)
            (node(above).children if above else roots).append(nodes[name])
        return nodes[name]

    for tag in tags:
        node(tag.name).count = tag.count
        own.add(tag.name)

    def finish(level: list[Node]) -> int:
        level.sort(key=lambda each: each.title.casefold())
        for each in level:
            below = finish(each.children)
            if each.key not in own:
                each.count = below
        return sum(each.count for each in level)

    finish(roots)
    return roots
