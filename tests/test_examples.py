# SPDX-License-Identifier: MIT
"""Every learner and descriptor has an Examples section whose output is correct."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest

from focal_photos import features, learners
from focal_photos.browser import scripting
from focal_photos.features.table import DESCRIPTORS, LOCAL_DESCRIPTORS
from focal_photos.learners import LEARNERS


def modules(package: ModuleType) -> Iterator[ModuleType]:
    """Yield a package and every module below it."""
    yield package
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(found.name)


def shown() -> dict[str, type]:
    """Return the classes of all learners and descriptors by their names."""
    kinds = [*LEARNERS.values(), *(type(one) for one in (*DESCRIPTORS.values(), *LOCAL_DESCRIPTORS.values()))]
    return {kind.__name__: kind for kind in kinds}


EXAMPLES = {
    found.name: found
    for package in (learners, features, scripting)
    for module in modules(package)
    for found in doctest.DocTestFinder(exclude_empty=True).find(module)
    if found.examples
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_prints_its_documented_output(name: str) -> None:
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    reported: list[str] = []
    with np.printoptions(precision=4, suppress=True, legacy=False):
        result = doctest.DocTestRunner(optionflags=flags).run(EXAMPLES[name], out=reported.append)
    assert not result.failed, "".join(reported)


@pytest.mark.parametrize("name", shown())
def test_every_learner_and_descriptor_has_an_example(name: str) -> None:
    kind = shown()[name]
    assert f"{kind.__module__}.{name}" in EXAMPLES
    assert "    Examples\n    --------\n" in (kind.__doc__ or "")
