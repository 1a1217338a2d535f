"""What makes an object an estimator as scikit-learn knows it, without loading scikit-learn; and the errors of one."""

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
    """Input that a learner cannot use; the message says what is wrong and what to do."""


class NotFittedError(ValueError, AttributeError):
    """An estimator was used before it was fitted; where scikit-learn is loaded, its error of that name too."""

    def __new__(cls, *words: object) -> NotFittedError:
        """Return the error, one of scikit-learn's kind for those who catch that."""
        theirs = sys.modules.get("sklearn.exceptions")
        kind = cls if theirs is None or cls is not NotFittedError else _not_fitted_for_both(theirs.NotFittedError)
        return ValueError.__new__(kind, *words)

    def __reduce__(self) -> tuple[type[NotFittedError], tuple[Any, ...]]:
        return NotFittedError, self.args


@cache
def _not_fitted_for_both(theirs: type[Exception]) -> type[NotFittedError]:
    return type("NotFittedError", (NotFittedError, theirs), {"__module__": __name__})


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
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=InputTags())


class Transformer(Estimator):
    """Base of estimators that map rows, with what scikit-learn's transformers have beside `transform`.

    A class gives `fit`, `transform`, which ends with `_wrapped`, and `_n_features_out`, the number of its columns.
    """

    _sklearn_auto_wrap_output_keys: ClassVar[frozenset[str]] = frozenset({"transform"})

    _n_features_out: int

    def fit_transform(self, X: Any, y: Any = None, **how: Any) -> Any:
        """Return what `transform` makes of rows after a `fit` to them, with `y` and other arguments of `fit`."""
        return self.fit(X, y, **how).transform(X)  # type: ignore[attr-defined]

    def set_output(self, *, transform: str | None = None) -> Self:
        """Say in what `transform` returns its result: "default" (an array), "pandas" or "polars"; None: as before."""
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the columns of `transform`: the name of the class in small letters, and a number.

        Parameters
        ----------
        input_features : array_like of str, optional
            Those of the columns of X; they must be what it was fitted with, and change nothing.
        """
        import numpy as np
        from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

        check_is_fitted(self)
        _check_feature_names_in(self, input_features, generate_names=False)
        return np.array([f"{type(self).__name__.lower()}{column}" for column in range(self._n_features_out)], object)

    def _wrapped(self, result: Any, X: Any) -> Any:
        """Return the result of `transform` in the container that is wanted; nothing wants one without scikit-learn."""
        if "sklearn" not in sys.modules:
            return result
        from sklearn.utils._set_output import _wrap_data_with_container

        return _wrap_data_with_container("transform", result, X, self)

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that this is a transformer, whose results are float32 whatever it is given."""
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags(preserves_dtype=[])
        return tags


def clone(estimator: T) -> T:
    """Return an unfitted estimator with copies of the same parameters."""
    parameters = {
        name: clone(value) if isinstance(value, Estimator) else copy.deepcopy(value)
        for name, value in estimator.get_params(deep=False).items()
    }
    return type(estimator)(**parameters)


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and repr(value) == repr(default))
