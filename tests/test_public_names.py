# SPDX-License-Identifier: MIT
"""The public names of the package are present, documented and typed, and are loaded lazily."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import focal_photos
from focal_photos.learners import LEARNERS
from tests.browser.cli.command_line import run_python
from tests.tools.public_names import STUB, stub

PACKAGE = Path(focal_photos.__file__).parent
LEARNERS_BY_CLASS = {kind.__name__: kind for kind in LEARNERS.values()}
NAMES = sorted({*focal_photos.__all__, *LEARNERS_BY_CLASS} - {"__version__"})


def in_stub() -> dict[str, str]:
    """Return the module of each public name according to the stub."""
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                assert alias.name == alias.asname, "only then is it exported"
                found[alias.name] = str(node.module)
    return found


def test_the_stub_and_dir_list_the_public_names() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "run python -m tests.tools.public_names"
    assert sorted(in_stub()) == NAMES
    assert set(NAMES) <= set(dir(focal_photos))
    assert (PACKAGE / "py.typed").is_file()


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_documented_and_matches_the_stub(name: str) -> None:
    found = getattr(focal_photos, name)
    assert found is getattr(importlib.import_module(in_stub()[name]), name)
    if callable(found):
        text = inspect.getdoc(found)
        assert text
        assert text.splitlines()[0].endswith((".", ";", ":")) or "\n" in text


def public_functions() -> dict[str, object]:
    """Return every public function, and every method that a public class defines itself."""
    found: dict[str, object] = {}
    for name in NAMES:
        one = getattr(focal_photos, name)
        if inspect.isfunction(one):
            found[name] = one
        elif inspect.isclass(one):
            for member, method in inspect.getmembers(one, inspect.isfunction):
                if not member.startswith("_") and method.__module__.startswith("focal_photos."):
                    found[f"{name}.{member}"] = method
    return found


FUNCTIONS = public_functions()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_is_documented_and_fully_typed(name: str) -> None:
    function = FUNCTIONS[name]
    assert inspect.getdoc(function)
    signature = inspect.signature(function)  # type: ignore[arg-type]
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in list(signature.parameters.values())[name.count(".") :]:
        assert parameter.annotation is not inspect.Parameter.empty, parameter


@pytest.mark.parametrize("name", ["describe", "open", "create", "SideInformation", "TagClassifier"])
def test_names_used_in_the_guide_document_their_parameters(name: str) -> None:
    found = getattr(focal_photos, name)
    text = inspect.getdoc(found) or ""
    parameters = inspect.signature(found).parameters
    assert all(parameter in text for parameter in parameters), text


def test_an_unknown_name_raises_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'focal_photos' has no attribute 'rank'"):
        _ = focal_photos.rank  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="_nothing"):
        _ = focal_photos._nothing  # type: ignore[attr-defined]
    assert not hasattr(focal_photos, "__wrapped__")


def test_nothing_is_loaded_before_first_use() -> None:
    run_python(
        "import sys\nbefore = set(sys.modules)  # of what measures the coverage, where that is measured\n"
        "import focal_photos\n"
        "assert not [name for name in sys.modules if name.startswith('focal_photos.')]\n"
        "assert 'numpy' not in sys.modules\n"
        "dir(focal_photos), focal_photos.__version__\n"
        "assert 'numpy' not in sys.modules\n"
        "focal_photos.Rca\n"
        "assert 'focal_photos.learners.linear.rca' in sys.modules\n"
        "slow = {'sklearn', 'cv2', 'PIL', 'sqlite3', 'focal_photos.browser.catalog'} - before\n"
        "assert not slow & sys.modules.keys()\n"
        "focal_photos.describe, focal_photos.open\n"
        "assert not {'sklearn', 'PySide6', 'pandas'} & sys.modules.keys()\n"
    )


def test_scripts_find_the_installed_version() -> None:
    from importlib.metadata import version

    assert focal_photos.__version__ == version("focal-photos")
