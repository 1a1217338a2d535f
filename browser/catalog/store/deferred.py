# SPDX-License-Identifier: MIT
"""Dataclasses that are created when they are first used.

A start declares many types of rows and uses few. `dataclasses` generates and compiles the methods of each, which takes
0.5 ms for a frozen one, and imports `inspect`, which takes as long as ten modules. Types declared with this module
defer that until the first instance is created or the fields are accessed; from then on they are ordinary dataclasses.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # type checkers see ordinary dataclasses
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field

_MAKING: Final = threading.RLock()
_OF_DATACLASSES: Final = frozenset({"__dataclass_fields__", "__dataclass_params__", "__match_args__"})
_options: Final[dict[type, dict[str, Any]]] = {}


class _Field:
    """Placeholder of a field."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options


class _Unmade(type):
    """Metaclass of a dataclass that is not yet used."""

    def __call__(cls, *values: Any, **named: Any) -> Any:
        return _made(cls)(*values, **named)

    def __getattr__(cls, name: str) -> Any:
        if name in _OF_DATACLASSES:
            return getattr(_made(cls), name)
        raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")


class _Made(type):
    """Metaclass of a dataclass in use; not `type`, because ``__class__`` cannot be set to that."""


def _made(cls: type) -> Callable[..., Any]:
    """Turn a class into the declared dataclass and return it; other threads wait."""
    with _MAKING:
        if type(cls) is _Unmade:
            import dataclasses

            for base in cls.__mro__[1:]:
                _made(base)
            kind: type = cls
            options = _options.pop(kind, None)
            if options is not None:  # else it is a subclass declared without the decorator
                for name, value in list(vars(cls).items()):
                    if isinstance(value, _Field):
                        setattr(cls, name, dataclasses.field(**value.options))
                dataclasses.dataclass(**options)(kind)
            kind.__class__ = _Made
    return cls


def _restore(self: object, state: dict[str, Any]) -> None:
    """Set the state of an unpickled instance, whose class may not be in use in this process."""
    _made(type(self))
    vars(self).update(state)


def _deferred_field(**options: Any) -> Any:
    """Return a deferred `dataclasses.field`."""
    return _Field(options)


def _deferred_dataclass(**options: Any) -> Callable[[type], type]:
    """Return a decorator that defers `dataclasses.dataclass` (not ``slots``); the class must not call ``super()``."""

    def declare(cls: type) -> type:
        content = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
        declared = _Unmade(cls.__name__, cls.__bases__, {"__setstate__": _restore, **content})
        declared.__qualname__ = cls.__qualname__
        _options[declared] = options
        return declared

    return declare


if not TYPE_CHECKING:
    dataclass, field = _deferred_dataclass, _deferred_field
