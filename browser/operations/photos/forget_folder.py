# SPDX-License-Identifier: MIT
"""Remove a folder from the library without losing the data about its photos."""

from __future__ import annotations

from pathlib import Path

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.operations.jobs.errors import OperationError


def forget_folder(library: Library, folder: Path) -> ChangeSet:
    """Remove a folder from the library.

    Its photos are no longer listed unless they are also in another folder of the library. The files stay. Tags and
    judgements are retained, remain training data, and reappear if the folder is added again.

    Parameters
    ----------
    folder : Path
        A root of the library, not a folder inside one.

    Raises
    ------
    OperationError
        If the folder is not a root of the library.
    """
    found = library.roots.containing(folder)
    if found is None:
        raise OperationError("{0} is not in the library: there is nothing to remove.", folder)
    root, inside = found
    if inside != Path():
        raise OperationError("{0} is part of {1}: only that whole folder can be removed.", folder, root.path)
    return library.roots.remove(root.id)
