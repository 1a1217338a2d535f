# SPDX-License-Identifier: MIT
"""Write learners to files of a library."""

from __future__ import annotations

from pathlib import Path

from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.text import Text
from focal_photos.learners.core.estimator import Estimator
from focal_photos.learners.persistence import PersistenceError, write


def write_learners(path: Path, **estimators: Estimator) -> None:
    """Write estimators to a file atomically; `learners.persistence.load` reads it.

    Parameters
    ----------
    path : pathlib.Path
        An existing file is replaced.

    Raises
    ------
    PersistenceError
        If an estimator cannot be saved or the file cannot be written. An existing file is then unchanged.
    """
    try:
        with atomic_file(path) as stream:
            write(stream, **estimators)
    except OSError as error:
        raise PersistenceError(Text("{0} could not be written: {1}.", path.name, error.strerror or error)) from error
