"""Take a folder out of the library; what is known of its photos stays."""

from __future__ import annotations

from pathlib import Path

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.operations.jobs.errors import OperationError


def forget_folder(library: Library, folder: Path) -> ChangeSet:
    """Take a folder out of the library.

    Its photos are listed no more, unless they lie in another folder of the library too. The files stay where they are;
    tags and judgements are kept, go on teaching the metric, and are back when the folder is added again.

    Parameters
    ----------
    library : Library
    folder : Path
        A root of the library; not a folder inside one.

    Raises
    ------
    OperationError
        The folder is not a root of the library.
    """
    found = library.roots.containing(folder)
    if found is None:
        raise OperationError(f"{folder} is not in the library: there is nothing to take out.")
    root, inside = found
    if inside != Path():
        raise OperationError(f"{folder} is a part of {root.path}: only that folder can be taken out, as a whole.")
    return library.roots.remove(root.id)
