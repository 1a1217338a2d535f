"""Dataclasses that are made when they are first used.

A start loads many kinds of rows and uses few: `dataclasses` writes and compiles the methods of each, half a millisecond
for a frozen one, and loads inspect for it, which takes as long as ten modules. What is declared here costs that when
the first one is made, or somebody asks for its fields. From then on it is a dataclass as any other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # the same to whoever checks types
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field

_MAKING: Final = threading.RLock()
_OF_DATACLASSES: Final = frozenset({"__dataclass_fields__", "__dataclass_params__", "__match_args__"})
_options: Final[dict[type, dict[str, Any]]] = {}


class _Field:
    """Stands for a field until it is one."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options


class _Unmade(type):
    """The type of a dataclass that was not used yet."""

    def __call__(cls, *values: Any, **named: Any) -> Any:
        return _made(cls)(*values, **named)

    def __getattr__(cls, name: str) -> Any:
        if name in _OF_DATACLASSES:
            return getattr(_made(cls), name)
        raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")


class _Made(type):
    """The type of a dataclass from its first use on; another one than `type`, which no class can be given later."""


def _made(cls: type) -> Callable[..., Any]:
    """Return a class as the dataclass that it was declared to be; whoever comes meanwhile waits."""
    with _MAKING:
        if type(cls) is _Unmade:
            import dataclasses

            for base in cls.__mro__[1:]:
                _made(base)
            kind: type = cls
            options = _options.pop(kind, None)
            if options is not None:  # else it is derived from one, and declared in another way
                for name, value in list(vars(cls).items()):
                    if isinstance(value, _Field):
                        setattr(cls, name, dataclasses.field(**value.options))
                dataclasses.dataclass(**options)(kind)
            kind.__class__ = _Made
    return cls


def _restore(self: object, state: dict[str, Any]) -> None:
    """Take the values of one that was pickled, perhaps by a process that had used its class, which this one has not."""
    _made(type(self))
    vars(self).update(state)


def _deferred_field(**options: Any) -> Any:
    """Return what `dataclasses.field` returns, as soon as it is needed."""
    return _Field(options)


def _deferred_dataclass(**options: Any) -> Callable[[type], type]:
    """Return a decorator that does what `dataclasses.dataclass` does, as soon as it is needed.

    Parameters
    ----------
    options
        Those of `dataclasses.dataclass`, without ``slots``. The class may not call ``super()``.
    """

    def declare(cls: type) -> type:
        content = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
        declared = _Unmade(cls.__name__, cls.__bases__, {"__setstate__": _restore, **content})
        declared.__qualname__ = cls.__qualname__
        _options[declared] = options
        return declared

    return declare


if not TYPE_CHECKING:
    dataclass, field = _deferred_dataclass, _deferred_field
