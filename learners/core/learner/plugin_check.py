# SPDX-License-Identifier: MIT
"""Learners of plug-ins: which are accepted, and errors that they raise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.learner.base import DistanceLearner, EmbeddingMixin, OnlineMixin
from focal_photos.learners.core.learner.candidate import Candidate
from focal_photos.plugin_registry import PluginError, is_foreign, package_of

_NAME: Final = re.compile("[a-z][a-z0-9-]*")


def checked(made: object, name: str, taken: bool) -> type[DistanceLearner]:
    """Return the object of an entry point if it is a learner of that name that Focal can use.

    Parameters
    ----------
    taken : bool
        Whether Focal itself has a learner of that name.

    Raises
    ------
    PluginError
    """
    if not isinstance(made, type) or not issubclass(made, DistanceLearner):
        raise PluginError("It offers {0}: a class derived from DistanceLearner is needed.", repr(made)[:80])
    if taken:
        raise PluginError("Focal has a learner {0} itself: give this one another name.", name)
    if getattr(made, "name", None) != name or not _NAME.fullmatch(name):
        raise PluginError(
            "Its name is {0!r} in the package and {1!r} in the code: use one name of small letters, digits and "
            "hyphens.",
            name,
            getattr(made, "name", None),
        )
    texts = [getattr(made, fact, None) for fact in ("title", "family", "summary", "source", "needs")]
    if not all(isinstance(text, str) for text in texts) or not all(texts[:3]):
        raise PluginError("It needs a title, a family, a summary, a source and needs, which are texts.")
    if not issubclass(made, EmbeddingMixin):
        raise PluginError("It has no embedding: derive from BlendedLearner or EmbeddingMixin.")
    if made.follows_judgements and not issubclass(made, OnlineMixin):
        raise PluginError("It follows judgements, but is no OnlineMixin.")
    if made.printed is not None:
        raise PluginError("It has parameters of a paper (printed), which only learners of Focal have.")
    if not all(isinstance(one, Candidate) for one in made.candidates):
        raise PluginError("Its candidates for Automatic must be of the type Candidate.")
    for candidate in ({}, *(one.parameters for one in made.candidates)):
        made(**candidate).get_params()
    return made


@contextmanager
def foreign_errors(learner: DistanceLearner) -> Iterator[None]:
    """Turn errors that a learner from outside Focal raises in the block into `LearnerError`.

    Errors of Focal's own learners are faults of the program and pass unchanged.
    """
    try:
        yield
    except LearnerError:
        raise
    except Exception as error:
        if not is_foreign(type(learner)):
            raise
        raise LearnerError(
            f"The learner {learner.title} of {package_of(type(learner))} failed ({type(error).__name__}: {error})."
        ) from error
