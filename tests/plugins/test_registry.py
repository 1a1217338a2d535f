# SPDX-License-Identifier: MIT
"""Entry points are found without importing anything, and plug-ins that do not work are named and left out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from focal_photos import plugin_registry
from focal_photos.browser.operations.library.plugins import PluginState, plugin_overview
from focal_photos.features.plugins import plugin_descriptors, plugin_names
from focal_photos.learners import LEARNERS, LearnerError, create
from focal_photos.plugin_registry import Group, State, installed
from tests.plugins.conftest import Install

DESCRIPTOR = """
from dataclasses import dataclass
import numpy as np
from focal_photos.plugins import GlobalDescriptor

@dataclass(frozen=True)
class Odd(GlobalDescriptor):
    name = "odd"
    title = "Odd"
    version = 1
    dimension = 2

    def extract(self, image):
        return np.zeros(2, np.float32)

ODD = Odd()
"""


def states() -> dict[str, PluginState]:
    return {one.name: one for one in plugin_overview().plugins}


@pytest.mark.usefixtures("with_example")
def test_what_packages_offer_is_known_before_anything_is_imported() -> None:
    found = {(one.group, one.name, one.package, one.version, one.state) for one in installed()}
    package = ("example-for-focal", "1.0", State.WAITING)
    assert found == {
        (Group.DESCRIPTORS, "row_colors", *package),
        (Group.LEARNERS, "axis-ratio", *package),
        (Group.FORMATS, "taglines", *package),
    }
    assert plugin_names() == ("row_colors",)
    assert "rca" in LEARNERS
    assert "axis" not in LEARNERS
    assert not [name for name in sys.modules if name.startswith("focal_example")]
    assert "axis-ratio" in LEARNERS
    assert {name for name in sys.modules if name.startswith("focal_example")} == {
        "focal_example",
        "focal_example.axis_ratio",
    }, "only the module that is used"


@pytest.mark.usefixtures("with_example")
def test_the_example_works() -> None:
    assert {name: one.state for name, one in states().items()} == dict.fromkeys(
        ("axis-ratio", "row_colors", "taglines"), "ready"
    )
    assert plugin_descriptors()["row_colors"].dimension == 24
    assert list(LEARNERS)[-1] == "axis-ratio"
    assert create("axis-ratio", ridge=0.5).get_params()["ridge"] == 0.5


def test_a_program_without_plug_ins_does_not_search_for_them() -> None:
    code = (
        "import sys\nfrom focal_photos.learners import LEARNERS, create\nimport focal_photos.learners.persistence\n"
        "import focal_photos.features.plugins\nimport focal_photos.browser.operations.exchange.formats as formats\n"
        "create('rca')\nassert 'rca' in LEARNERS and formats.format_of('csv').name == 'csv'\n"
        "assert 'importlib.metadata' not in sys.modules or not focal_photos.plugin_registry._search.cache_info().misses"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    ("interface", "message"),
    [
        ("2", "version 2 of the plug-in interface, and this Focal has version 1"),
        (None, "does not say for which version"),
    ],
)
def test_a_plug_in_for_another_version_is_refused_without_importing_it(
    install: Install, interface: str | None, message: str
) -> None:
    install("odd_old", "raise AssertionError('imported')", interface, descriptors="odd = odd_old:ODD")
    assert states()["odd"].state == "outdated"
    assert message in states()["odd"].reason
    assert not plugin_descriptors()
    assert "odd_old" not in sys.modules


def test_a_plug_in_for_several_versions_is_accepted(install: Install) -> None:
    install("odd_both", DESCRIPTOR, "0 = odd_both\n1", descriptors="odd = odd_both:ODD")
    assert list(plugin_descriptors()) == ["odd"]


@pytest.mark.parametrize(
    ("source", "group", "message"),
    [
        ("import not_here_at_all", "descriptors", "cannot be loaded (ModuleNotFoundError: No module named"),
        ("raise SystemExit(3)", "learners", "cannot be loaded (SystemExit: 3)"),
        ("def broken(:", "formats", "cannot be loaded (SyntaxError"),
        ("", "descriptors", "cannot be loaded (AttributeError"),
        ("ODD = 3", "descriptors", "offers a int: an object derived from GlobalDescriptor"),
        ("ODD = 3", "learners", "offers 3: a class derived from DistanceLearner"),
        ("ODD = 3", "formats", "offers a int: a FileFormat"),
        (DESCRIPTOR.replace('"odd"', '"other"'), "descriptors", "'odd' in the package and 'other' in the code"),
        (DESCRIPTOR.replace("dimension = 2", "dimension = 0"), "descriptors", "dimension is 0"),
        (DESCRIPTOR.replace("dimension = 2", "dimension = 1 / 0"), "descriptors", "ZeroDivisionError"),
        (DESCRIPTOR.replace('title = "Odd"', "title = 3"), "descriptors", "needs a title"),
        (
            DESCRIPTOR.replace("ODD =", "    def rotated(self, vectors):\n        raise KeyError('x')\n\nODD ="),
            "descriptors",
            "KeyError",
        ),
        (
            "from focal_photos.learners.linear.rca import Rca\nclass ODD(Rca):\n    name = 'odd'\n    title = ''\n",
            "learners",
            "needs a title",
        ),
        (
            "from focal_photos.learners.linear.rca import Rca\nclass ODD(Rca):\n    name = 'odd'\n"
            "    candidates = (1,)\n",
            "learners",
            "of the type Candidate",
        ),
        (
            "from focal_photos.plugins import FileFormat\nODD = FileFormat('odd', 'Odd', ('.odd',))",
            "formats",
            "neither reads nor writes",
        ),
        (
            "from focal_photos.plugins import FileFormat\nODD = FileFormat('odd', 'Odd', (), write_photos=len)",
            "formats",
            "needs suffixes",
        ),
    ],
)
def test_a_broken_plug_in_is_named_and_left_out(install: Install, source: str, group: str, message: str) -> None:
    install("odd_one", source, **{group: "odd = odd_one:ODD"})
    found = states()["odd"]
    assert (found.package, found.version, found.group, found.state) == ("odd_one", "0.5", group, "broken")
    assert message in found.reason
    assert not plugin_descriptors()
    assert "odd" not in LEARNERS
    with pytest.raises(LearnerError, match="no learner 'odd'"):
        create("odd")


def test_names_of_focal_are_not_taken_over(install: Install) -> None:
    install("odd_taken", DESCRIPTOR.replace('"odd"', '"lbp"'), descriptors="lbp = odd_taken:ODD")
    assert states()["lbp"].state == "broken"
    assert "Focal has a descriptor lbp itself" in states()["lbp"].reason


def test_of_two_packages_with_one_name_the_second_is_refused(install: Install) -> None:
    install("odd_first", DESCRIPTOR, descriptors="odd = odd_first:ODD")
    install("odd_second", DESCRIPTOR, descriptors="odd = odd_second:ODD")
    assert sorted(one.state for one in plugin_overview().plugins) == ["broken", "ready"]
    assert list(plugin_descriptors()) == ["odd"]


def test_a_plug_in_that_does_not_end_loading_is_left_out(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_registry, "LOAD_SECONDS", 0.05)
    install("odd_endless", f"import time\ntime.sleep(3)\n{DESCRIPTOR}", descriptors="odd = odd_endless:ODD")
    assert not plugin_descriptors()
    assert states()["odd"].state == "broken"
    assert "longer than 0.05 seconds" in states()["odd"].reason


def test_a_plug_in_that_loads_slowly_is_called_slow_and_used(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin_registry, "SLOW_SECONDS", 0.05)
    install("odd_slow", f"import time\ntime.sleep(.1)\n{DESCRIPTOR}", descriptors="odd = odd_slow:ODD")
    assert np.all(plugin_descriptors()["odd"].dimension == 2)
    found = states()["odd"]
    assert (found.state, found.reason[:7]) == ("slow", "It took")


def test_damaged_metadata_of_a_package_stop_nothing(install: Install) -> None:
    site = install("odd_damaged", DESCRIPTOR, descriptors="odd = odd_damaged:ODD")
    (site / "odd_damaged-0.5.dist-info" / "METADATA").write_bytes(b"\xff\xfe")
    plugin_registry.search_again()
    assert all(one.state in ("ready", "outdated") for one in plugin_overview().plugins)


def test_every_name_of_the_interface_is_there(example: Path) -> None:
    from focal_photos import plugins

    assert plugins.INTERFACE == 1
    assert all(getattr(plugins, name) is not None for name in plugins.__all__)
    assert set(plugins.__all__) <= set(dir(plugins))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        plugins.nothing  # noqa: B018
