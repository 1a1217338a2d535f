# SPDX-License-Identifier: MIT
"""Dataclasses built on first use behave as ordinary dataclasses."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
import threading
from typing import Any

import pytest

from focal_photos.browser.catalog.store.deferred import dataclass, field


def declared() -> Any:
    """Return a class that has not been used yet."""

    @dataclass(frozen=True)
    class Point:
        """A point."""

        x: int
        y: int = 2
        names: list[str] = field(default_factory=list, compare=False)

        @property
        def sum(self) -> int:
            """Sum of both coordinates."""
            return self.x + self.y

    return Point


def test_values_behave_like_a_dataclass() -> None:
    kind = declared()
    one = kind(1)
    assert (one.x, one.y, one.names, one.sum) == (1, 2, [], 3)
    assert one == kind(1, 2, ["another"])
    assert one != kind(1, 3)
    assert hash(one) == hash(kind(x=1))
    assert repr(one).endswith("Point(x=1, y=2, names=[])")
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.x = 3
    with pytest.raises(TypeError, match="missing 1 required"):
        kind()
    with pytest.raises(AttributeError, match="has no attribute 'z'"):
        _ = kind.z


def test_functions_of_dataclasses_work_before_and_after_the_first_use() -> None:
    assert [one.name for one in dataclasses.fields(declared())] == ["x", "y", "names"]
    assert dataclasses.is_dataclass(declared())
    kind = declared()
    assert dataclasses.replace(kind(1), y=5) == kind(1, 5)
    assert dataclasses.asdict(kind(1)) == {"x": 1, "y": 2, "names": []}
    assert copy.deepcopy(kind(1)) == kind(1)
    assert declared().__match_args__ == ("x", "y", "names")


def test_classes_can_be_derived() -> None:
    base = declared()

    @dataclass(frozen=True)
    class Space(base):  # type: ignore[misc, valid-type]
        """A point in space."""

        z: int = 9

    @dataclasses.dataclass(frozen=True)
    class Plain(base):  # type: ignore[misc, valid-type]
        """Declared with the standard decorator."""

        w: int = 8

    assert Space(1) == Space(1, 2, [], 9)
    assert (Plain(1).y, Plain(1).w) == (2, 8)
    assert Plain(1) == Plain(1)


def test_the_first_use_is_safe_in_many_threads() -> None:
    for _ in range(20):
        kind, begin = declared(), threading.Barrier(8)
        found: list[Any] = []

        def use(kind: Any = kind, begin: threading.Barrier = begin, found: list[Any] = found) -> None:
            begin.wait()
            found.append(kind(1, 2))

        threads = [threading.Thread(target=use) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [kind(1)] * 8


def test_pickled_values_load_in_a_fresh_process() -> None:
    from focal_photos.browser.catalog.facts.records import SavedSearch

    written = pickle.dumps([SavedSearch("sea", "tag:sea"), SavedSearch("sea", "tag:sea")])
    script = (
        f"import pickle\none, other = pickle.loads({written!r})\n"
        "assert one == other and hash(one) == hash(other) and 'tag:sea' in repr(one), one\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_declaration_imports_nothing() -> None:
    script = (
        "import sys\nbefore = set(sys.modules)\nimport focal_photos.browser.catalog.facts.records as records\n"
        "assert not {'dataclasses', 'inspect'} & (sys.modules.keys() - before)\n"
        "assert records.SavedSearch('a', 'b').name == 'a' and 'dataclasses' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
