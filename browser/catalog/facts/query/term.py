"""What the parts of a query's tree are made of: values that are equal where their kinds and their fields are."""

from __future__ import annotations

from typing import Any, ClassVar, dataclass_transform


@dataclass_transform(frozen_default=True)
class Part:
    """A part of a tree; a class derived from it names its fields, in their order, perhaps with what they are else.

    To be used as a frozen dataclass, which takes thirty times as long to declare: every command that filters declares
    them all. A named tuple would not do: those of two kinds are equal where their fields are.
    """

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(vars(cls).get("__annotations__", ()))
        setattr(cls, "__match_args__", cls._fields)  # noqa: B010 - the checker of types works it out by itself

    def __init__(self, *values: Any) -> None:
        names = self._fields
        if len(values) > len(names) or not all(hasattr(self, name) for name in names[len(values) :]):
            raise TypeError(f"{type(self).__name__} takes {', '.join(names) or 'nothing'}, not {values}")
        vars(self).update(zip(names, values, strict=False))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is not changed: make another one")

    def _compared(self) -> tuple[Any, ...]:
        """Return the values by which it is equal to another one."""
        return tuple(getattr(self, name) for name in self._fields)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._compared() == self._compared()

    def __hash__(self) -> int:
        return hash((type(self), *self._compared()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({fields})"
