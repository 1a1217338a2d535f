# SPDX-License-Identifier: MIT
"""The scikit-learn estimator interface without importing scikit-learn, and the errors of estimators."""

from __future__ import annotations

import copy
import inspect
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T", bound="Estimator")


class LearnerError(ValueError):
    """Input that a learner cannot use; the message gives the reason and what to do."""


class NotFittedError(ValueError, AttributeError):
    """An estimator is used before it is fitted; also scikit-learn's error of that name if scikit-learn is loaded."""

    def __new__(cls, *words: object) -> NotFittedError:
        """Return the error, as a subclass of scikit-learn's error for callers that catch that one."""
        theirs = sys.modules.get("sklearn.exceptions")
        kind = cls if theirs is None or cls is not NotFittedError else _not_fitted_for_both(theirs.NotFittedError)
        return ValueError.__new__(kind, *words)

    def __reduce__(self) -> tuple[type[NotFittedError], tuple[Any, ...]]:
        return NotFittedError, self.args


@cache
def _not_fitted_for_both(theirs: type[Exception]) -> type[NotFittedError]:
    return type("NotFittedError", (NotFittedError, theirs), {"__module__": __name__})


class Estimator:
    """Base of all estimators: stores parameters in ``__init__`` and gets and sets them by name.

    The interface is that of ``sklearn.base.BaseEstimator``, so ``sklearn.base.clone``, pipelines and searches accept
    it. It is not a subclass: importing that class takes two times longer than importing numpy, and every command that
    ranks would wait for it.

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
        """Return the parameters by name; with `deep`, nested estimators contribute theirs as ``outer__inner``."""
        found: dict[str, Any] = {}
        for name in self.parameter_names():
            value = getattr(self, name)
            found[name] = value
            if deep and isinstance(value, Estimator):
                found.update((f"{name}__{inner}", of_inner) for inner, of_inner in value.get_params().items())
        return found

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters, nested ones as ``outer__inner``; raise ValueError for an unknown name."""
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
        """Return the class name with the parameters that differ from their defaults."""
        born = inspect.signature(type(self)).parameters
        own = self.get_params(deep=False)
        said = [f"{name}={own[name]!r}" for name in born if name in own and not _same(own[name], born[name].default)]
        return f"{type(self).__name__}({', '.join(said)})"

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: no target is required."""
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=InputTags())


class Transformer(Estimator):
    """Base of estimators that map rows; adds scikit-learn's transformer methods.

    Subclasses define `fit`, `transform`, which ends with `_wrapped`, and `_n_features_out`, the number of output
    columns.
    """

    _sklearn_auto_wrap_output_keys: ClassVar[frozenset[str]] = frozenset({"transform"})

    _n_features_out: int

    def fit_transform(self, X: Any, y: Any = None, **how: Any) -> Any:
        """Fit to X, with `y` and further arguments of `fit`, and return the transformed rows."""
        return self.fit(X, y, **how).transform(X)  # type: ignore[attr-defined]

    def set_output(self, *, transform: str | None = None) -> Self:
        """Set the container that `transform` returns: "default" (array), "pandas" or "polars"; None: no change."""
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the column names of `transform`: the class name in lower case and a number.

        Parameters
        ----------
        input_features : array_like of str, optional
            Column names of X; they must match those of the fit and do not affect the result.
        """
        import numpy as np
        from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

        check_is_fitted(self)
        _check_feature_names_in(self, input_features, generate_names=False)
        return np.array([f"{type(self).__name__.lower()}{column}" for column in range(self._n_features_out)], object)

    def _wrapped(self, result: Any, X: Any) -> Any:
        """Return the result of `transform` in the configured container; without scikit-learn there is none."""
        if "sklearn" not in sys.modules:
            return result
        from sklearn.utils._set_output import _wrap_data_with_container

        return _wrap_data_with_container("transform", result, X, self)

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: a transformer whose results are float32 for any input."""
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags(preserves_dtype=[])
        return tags


def clone(estimator: T) -> T:
    """Return an unfitted copy of an estimator with the same parameters."""
    parameters = {
        name: clone(value) if isinstance(value, Estimator) else copy.deepcopy(value)
        for name, value in estimator.get_params(deep=False).items()
    }
    return type(estimator)(**parameters)


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and repr(value) == repr(default))
