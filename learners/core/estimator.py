"""What makes an object an estimator as scikit-learn knows it, without loading scikit-learn; and the errors of one."""

from __future__ import annotations

import copy
import inspect
from typing import Any, Self, TypeVar

T = TypeVar("T", bound="Estimator")


class LearnerError(ValueError):
    """Input that a learner cannot use; the message says what is wrong and what to do."""


class NotFittedError(ValueError, AttributeError):
    """An estimator was used before it was fitted."""


class Estimator:
    """Base of everything that is fitted: parameters that ``__init__`` stores, and how they are read and set.

    The interface is that of ``sklearn.base.BaseEstimator``, so that ``sklearn.base.clone``, pipelines and searches take
    it. It is not derived from it: to import that class takes twice as long as numpy, which every command that ranks
    would wait for.

    Examples
    --------
    >>> class Scale(Estimator):
    ...     def __init__(self, by: float = 1.0) -> None:
    ...         self.by = by
    >>> Scale(by=2.0).get_params()
    {'by': 2.0}
    >>> clone(Scale().set_params(by=3.0))
    Scale(by=3.0)
    """

    @classmethod
    def parameter_names(cls) -> list[str]:
        """Return the names of the constructor's parameters, sorted."""
        return sorted(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; `deep`: those of parameters that are estimators too, as ``outer__inner``."""
        found: dict[str, Any] = {}
        for name in self.parameter_names():
            value = getattr(self, name)
            found[name] = value
            if deep and isinstance(value, Estimator):
                found.update((f"{name}__{inner}", of_inner) for inner, of_inner in value.get_params().items())
        return found

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters, those of an estimator among them as ``outer__inner``; ValueError for one that it has not."""
        names = self.parameter_names()
        for name, value in parameters.items():
            outer, _, inner = name.partition("__")
            if outer not in names:
                raise ValueError(f"{type(self).__name__} has no parameter {outer!r}; it has: {', '.join(names)}.")
            if inner:
                getattr(self, outer).set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self

    def __repr__(self) -> str:
        """Name the class, and the parameters that are not as they were born."""
        born = inspect.signature(type(self)).parameters
        own = self.get_params(deep=False)
        said = [f"{name}={own[name]!r}" for name in born if name in own and not _same(own[name], born[name].default)]
        return f"{type(self).__name__}({', '.join(said)})"

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn, which is loaded where it asks, that no target is needed."""
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False))


def clone(estimator: T) -> T:
    """Return an unfitted estimator with copies of the same parameters."""
    parameters = {
        name: clone(value) if isinstance(value, Estimator) else copy.deepcopy(value)
        for name, value in estimator.get_params(deep=False).items()
    }
    return type(estimator)(**parameters)


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and repr(value) == repr(default))
