# SPDX-License-Identifier: MIT
"""State machine of operations on and damage to the files of a store, compared with a model."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from numpy.typing import NDArray

from focal_photos.browser.catalog.arrays.record_files import HEADER, PATCH_ENTRY
from focal_photos.browser.catalog.arrays.record_store import RecordStore
from focal_photos.browser.catalog.arrays.store_folder import StoreFolder
from tests.examples import examples

DIMENSION = 3
SETTINGS = settings(max_examples=examples(60), stateful_step_count=20)
headers = st.sampled_from([HEADER, HEADER, HEADER, 0])  # where damage starts: mostly after the header
ids = st.lists(st.integers(0, 12), max_size=6, unique=True)
garbage = st.binary(max_size=3 * PATCH_ENTRY.itemsize)  # patch entries are the longest

S = TypeVar("S", bound=RecordStore)


class StoreMachine(RuleBasedStateMachine, Generic[S]):
    """Appends, forgets, reopens and damages; subclasses define how records are written and compared."""

    def __init__(self, open_stores: Callable[[Path], StoreFolder[S]]) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="focal-test-"))
        self.open_stores = open_stores
        self.stores = open_stores(self.folder)
        self.store = self.stores.store("x", DIMENSION)
        self.model: dict[int, float] = {}  # in order of appending; a vector repeats its value
        self.next = 1.0
        self.harmed = False  # if true, records may be missing; those present must be right

    def write(self, chosen: list[int], values: list[float]) -> None:
        """Append one record per id, made of its value."""
        raise NotImplementedError

    def compare(self, found: NDArray[np.int64]) -> None:
        """Require that the store returns the model's records for these ids."""
        raise NotImplementedError

    def teardown(self) -> None:
        self.stores.close()
        shutil.rmtree(self.folder)

    @rule(chosen=ids)
    def append(self, chosen: list[int]) -> None:
        values = [self.next + step for step in range(len(chosen))]
        self.next += len(chosen)
        self.write(chosen, values)
        for number, value in zip(chosen, values, strict=True):
            self.model.pop(number, None)
            self.model[number] = value

    @rule(count=st.integers(10, 30))
    def append_many(self, count: int) -> None:
        self.append(list(range(20, 20 + count)))

    @rule(chosen=ids)
    def forget(self, chosen: list[int]) -> None:
        self.store.forget(chosen)
        for number in chosen:
            self.model.pop(number, None)

    @rule(low=st.integers(0, 40))
    def forget_many(self, low: int) -> None:
        self.forget(list(range(low, 50)))

    @rule()
    def reopen(self) -> None:
        self.stores.close()
        self.stores = self.open_stores(self.folder)
        self.store = self.stores.store("x", DIMENSION)

    @rule(victim=st.sampled_from(["index", "rows"]), low=headers, share=st.floats(0, 1))
    def truncate(self, victim: str, low: int, share: float) -> None:
        """Cut a file off at any byte, as a crash or a damaged disk may do."""
        self.stores.close()
        (path,) = self.folder.glob(f"*.{victim}")
        os.truncate(path, low + int(share * (path.stat().st_size - low)))
        self.harmed = True
        self.reopen()

    @rule(victim=st.sampled_from(["index", "rows"]), garbage=garbage)
    def torn_tail(self, victim: str, garbage: bytes) -> None:
        """Append garbage, as an interrupted write does; existing records must survive."""
        self.stores.close()
        (path,) = self.folder.glob(f"*.{victim}")
        with path.open("ab") as stream:
            stream.write(garbage)
        self.reopen()

    @rule(low=headers, share=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
    def flip_in_index(self, low: int, share: float, bit: int) -> None:
        self.stores.close()
        (path,) = self.folder.glob("*.index")
        self._flip(path, share, bit, low if path.stat().st_size > low else 0)
        self.harmed = True
        self.reopen()

    @precondition(lambda self: self.model)
    @rule(share=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
    def flip_in_rows_and_check(self, share: float, bit: int) -> None:
        (path,) = self.folder.glob("*.rows")
        if path.stat().st_size > HEADER:
            self._flip(path, share, bit, HEADER)
            self.harmed = True
        damaged = self.store.check()
        assert len(damaged) <= 1
        assert self.store.missing(damaged).tolist() == damaged

    @rule()
    def check(self) -> None:
        assert self.store.check() == []

    def _flip(self, path: Path, share: float, bit: int, low: int) -> None:
        data = bytearray(path.read_bytes())
        at = low + int(share * (len(data) - low))
        data[at] ^= 1 << bit
        with path.open("r+b") as stream:
            stream.seek(at)
            stream.write(data[at : at + 1])

    @invariant()
    def never_a_wrong_record(self) -> None:
        found = self.store.ids
        assert len(found) == len(self.store) == len(set(found.tolist()))
        assert set(found.tolist()) <= set(self.model)
        if not self.harmed:
            assert found.tolist() == list(self.model)
        self.compare(found)
        lacking = set(self.store.missing(range(50)).tolist())
        assert lacking == set(range(50)) - set(found.tolist())
        for number in lacking:  # lost records are appended again, so remove them from the model
            self.model.pop(number, None)
        self.harmed = False
