# SPDX-License-Identifier: MIT
"""Modules that are executed on first use."""

from __future__ import annotations

import ast
import dataclasses
import doctest
import importlib
import inspect
import pickle
import sys
import threading
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from pytestqt.qtbot import QtBot

from focal_photos.browser import lazy_imports
from focal_photos.browser.lazy_imports import LazyFinder, ask_before_executing, execute, is_executed
from focal_photos.browser.tasks.main_thread import MainThreadPriority

MINUTE: Final = 60.0
ROUNDS: Final = 50

Write = Callable[..., None]  # of sources by name; a package is a dict of its files


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Write lazy modules and packages, given by name and source; they are new after each call."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # its date has whole seconds
    names: set[str] = set()
    finder = LazyFinder(names, ["lazy_room"])
    sys.meta_path.insert(0, finder)

    def forget() -> None:
        for name in list(sys.modules):
            if name.split(".")[0] in names | {"lazy_room"}:
                del sys.modules[name]

    def write(**sources: str | dict[str, str]) -> None:
        forget()
        for name, source in sources.items():
            files = {name: source} if isinstance(source, str) else {f"{name}/{part}": source[part] for part in source}
            for file, text in files.items():
                path = tmp_path / f"{file}.py"
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            names.add(name)
        importlib.invalidate_caches()

    yield write
    sys.meta_path.remove(finder)
    forget()


def in_threads(*calls: Callable[[], object]) -> list[object]:
    """Call functions at the same time and return their results or exceptions."""
    start = threading.Barrier(len(calls))
    results: list[object] = [None] * len(calls)

    def run(place: int) -> None:
        start.wait(MINUTE)
        try:
            results[place] = calls[place]()
        except BaseException as error:
            results[place] = error

    threads = [threading.Thread(target=run, args=(place,), daemon=True) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(MINUTE)
    assert not any(thread.is_alive() for thread in threads), "the threads wait for each other"
    return results


def test_a_module_is_executed_at_the_first_access(write: Write) -> None:
    write(lazy_one="value = 1\n")
    module = importlib.import_module("lazy_one")
    assert not is_executed(module)
    assert importlib.import_module("lazy_one") is module is sys.modules["lazy_one"]
    assert (module.__name__, module.__package__) == ("lazy_one", "")
    assert not is_executed(module)
    assert module.value == 1
    assert is_executed(module)
    assert type(module) is ModuleType
    assert module.__spec__ is not None
    assert module.__file__ == module.__spec__.origin
    assert module.__loader__ is module.__spec__.loader


def test_an_import_of_a_name_executes_at_once(write: Write) -> None:
    write(lazy_one="value = 1\n")
    namespace: dict[str, Any] = {}
    exec("from lazy_one import value", namespace)
    assert namespace["value"] == 1


def test_the_modules_of_a_room_are_lazy_and_its_packages_have_no_code(write: Write) -> None:
    no_code = "raise AssertionError"
    write(
        lazy_room={"__init__": "", "one": "from lazy_room.part import two\n"},
        **{"lazy_room/part": {"__init__": no_code, "two": "value = 1\n"}},
    )
    namespace: dict[str, Any] = {}
    exec("from lazy_room import one\nfrom lazy_room import part\nimport lazy_room.part.two as two", namespace)
    one, two = namespace["one"], namespace["two"]
    assert not is_executed(one)
    assert one.two is two is namespace["part"].two
    assert not is_executed(two)
    assert two.value == 1


def test_a_part_of_a_package_is_imported_after_the_package(write: Write) -> None:
    write(lazy_one={"__init__": "order = ['package']\n", "part": "import lazy_one\nlazy_one.order.append('part')\n"})
    package = importlib.import_module("lazy_one")
    assert not is_executed(package)
    importlib.import_module("lazy_one.part")
    assert package.order == ["package", "part"]


def test_errors_come_at_the_first_use_and_name_the_module(write: Write, tmp_path: Path) -> None:
    write(lazy_one="value = 1\n", lazy_other="value = 1\nimport not_here_at_all\n")
    (tmp_path / "lazy_one.py").unlink()
    importlib.invalidate_caches()
    missing, failing = importlib.import_module("lazy_one"), importlib.import_module("lazy_other")
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError, match="lazy_one") as raised:
            missing.value  # noqa: B018
        assert raised.value.name == "lazy_one"
        with pytest.raises(ModuleNotFoundError, match="not_here_at_all"):
            failing.value  # noqa: B018
        assert not is_executed(failing)
    (tmp_path / "lazy_one.py").write_text("value = 1\n")
    importlib.invalidate_caches()
    assert missing.value == 1
    with pytest.raises(AttributeError, match=r"lazy_one.*other"):
        missing.other  # noqa: B018


SLOW: Final = """
import time
runs = globals().get("runs", 0) + 1
time.sleep(.0005)
value = 1
"""


def value_of(name: str) -> Callable[[], object]:
    """Return a function that uses a module."""
    return lambda: importlib.import_module(name).value


def test_all_threads_see_a_module_complete(write: Write) -> None:
    for _ in range(ROUNDS):
        write(lazy_one=SLOW)
        assert in_threads(*[value_of("lazy_one")] * 8) == [1] * 8
        assert sys.modules["lazy_one"].runs == 1


def test_threads_that_import_and_use_a_module_do_not_wait_for_each_other(write: Write) -> None:
    """One executes a module that needs another, by its name or not, while others import that one."""

    def imported() -> object:
        namespace: dict[str, Any] = {}
        exec("from lazy_other import value", namespace)
        return namespace["value"]

    for turn in range(ROUNDS):
        need = ("import lazy_other\nlazy_other.value\n", "from lazy_other import value\n")
        write(lazy_one=need[turn % 2] + SLOW, lazy_other=SLOW)
        results = in_threads(value_of("lazy_one"), value_of("lazy_other"), imported, value_of("lazy_one"))
        assert results == [1] * 4
        assert (sys.modules["lazy_one"].runs, sys.modules["lazy_other"].runs) == (1, 1)


def test_a_lazy_and_an_ordinary_module_that_need_each_other_do_not_stop_two_threads(
    write: Write, tmp_path: Path
) -> None:
    """The one waits for the import of the other, which waits for the execution of the first."""
    (tmp_path / "ordinary_one.py").write_text(f"import lazy_one\n{SLOW}lazy_one.__dict__\n")
    for _ in range(ROUNDS):
        sys.modules.pop("ordinary_one", None)
        write(lazy_one=f"{SLOW}import ordinary_one\n")
        importlib.import_module("lazy_one")
        in_threads(value_of("lazy_one"), value_of("ordinary_one"))
        assert (value_of("lazy_one")(), value_of("ordinary_one")()) == (1, 1)
    del sys.modules["ordinary_one"]


def test_lazy_modules_that_need_each_other_do_not_stop_two_threads(write: Write) -> None:
    for _ in range(ROUNDS):
        write(
            lazy_one=f"import lazy_other\n{SLOW}lazy_other.__dict__\n",
            lazy_other=f"import lazy_one\n{SLOW}lazy_one.__dict__\n",
        )
        in_threads(value_of("lazy_one"), value_of("lazy_other"))
        assert (value_of("lazy_one")(), value_of("lazy_other")()) == (1, 1)


def test_a_thread_waits_for_a_failing_module_and_tries_again(write: Write) -> None:
    for _ in range(ROUNDS):
        write(lazy_one=f"{SLOW}raise OSError\n")
        assert {type(result) for result in in_threads(*[value_of("lazy_one")] * 4)} == {OSError}


SOURCE = '''
"""Adds.

>>> add(1, 2)
3
"""
from __future__ import annotations
import dataclasses
import lazy_other

@dataclasses.dataclass(frozen=True)
class Pair:
    one: int
    other: lazy_other.Number = 2

def add(one: int, other: lazy_other.Number) -> int:
    return one + other
'''


def test_tools_for_modules_see_ordinary_ones(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def declared() -> ModuleType:
        write(lazy_one=SOURCE, lazy_other="Number = int\n")
        return importlib.import_module("lazy_one")

    assert declared().__doc__ == SOURCE.split('"""')[1]
    assert "add" in dir(declared())
    assert "add" in vars(declared())
    assert dict(inspect.getmembers(declared()))["add"].__name__ == "add"
    assert inspect.getsource(declared()).strip() == SOURCE.strip()
    assert doctest.testmod(declared()) == (0, 1)
    module = declared()
    assert typing.get_type_hints(module.add)["other"] is int
    assert dataclasses.asdict(module.Pair(1)) == {"one": 1, "other": 2}
    assert inspect.getmodule(module.Pair) is module
    stored = pickle.dumps(module.Pair(1))
    declared()
    assert pickle.loads(stored).one == 1
    module = declared()
    with monkeypatch.context() as patch:
        patch.setattr("lazy_one.add", 3)
        assert module.add == 3
    assert module.add(1, 2) == 3
    module = declared()
    module.added = 1  # type: ignore[attr-defined]
    assert (module.added, module.add(1, 2)) == (1, 3)
    del module.added
    assert not hasattr(module, "added")
    assert importlib.reload(module).add(1, 2) == 3


def test_searches_of_all_modules_execute_none(write: Write) -> None:
    write(lazy_one="value = 1\n")
    module = importlib.import_module("lazy_one")
    with pytest.warns(UserWarning, match="of this test"):
        importlib.import_module("warnings").warn("of this test", stacklevel=1)
    for other in list(sys.modules.values()):
        getattr(other, "__warningregistry__", None)
    assert module.__file__ is not None
    assert Path(module.__file__).name == "lazy_one.py"
    assert not is_executed(module)


def test_a_thread_executes_only_while_the_main_thread_is_idle(qtbot: QtBot, write: Write, tmp_path: Path) -> None:
    write(lazy_one="value = 1\n", lazy_other="value = 1\n")
    (tmp_path / "ordinary_one.py").write_text("value = 1\n")
    one, other = importlib.import_module("lazy_one"), importlib.import_module("lazy_other")
    priority = MainThreadPriority(patience=MINUTE)
    stop = ask_before_executing(priority.wait)
    try:
        priority.take()
        threads = [
            threading.Thread(target=execute, args=(one,)),
            threading.Thread(target=importlib.import_module, args=("ordinary_one",)),
        ]
        for thread in threads:
            thread.start()
        assert other.value == 1  # does not delay the main thread itself
        for thread in threads:
            thread.join(0.1)
            assert thread.is_alive()
        assert not is_executed(one)
        qtbot.waitUntil(lambda: not any(thread.is_alive() for thread in threads), timeout=int(MINUTE * 1000))
        assert is_executed(one)
        assert sys.modules["ordinary_one"].value == 1
    finally:
        stop()
        sys.modules.pop("ordinary_one", None)


def test_after_that_no_import_waits(qtbot: QtBot, write: Write) -> None:
    write(lazy_one="value = 1\n")
    priority = MainThreadPriority(patience=MINUTE)
    ask_before_executing(priority.wait)()
    priority.take()
    thread = threading.Thread(target=execute, args=(importlib.import_module("lazy_one"),))
    thread.start()
    thread.join(MINUTE)
    assert not thread.is_alive()


ROOT: Final = Path(lazy_imports.__file__).resolve().parents[1]


def test_the_list_names_existing_modules() -> None:
    for name in (*lazy_imports.MODULES, *lazy_imports.ROOMS):
        assert importlib.import_module(name).__spec__ is not None
        own = ROOT.joinpath(*name.split(".")[1:])
        assert not name.startswith("focal_photos") or own.is_dir() or own.with_suffix(".py").exists(), name


def test_the_packages_of_lazy_rooms_have_no_code() -> None:
    """They are not executed."""
    for room in lazy_imports.ROOMS:
        for path in ROOT.joinpath(*room.split(".")[1:]).glob("*/**/__init__.py"):
            assert len(ast.parse(path.read_text()).body) == 1, path
