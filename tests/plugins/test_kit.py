# SPDX-License-Identifier: MIT
"""The check kit passes the example and Focal's own formats, and fails on what is wrong; the guide shows the example."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.features.plugins import plugin_descriptors
from focal_photos.features.texture.lbp import Lbp
from focal_photos.plugin_registry import Group, installed
from focal_photos.plugins import FileFormat
from focal_photos.testing import DESCRIPTOR_CHECKS, FORMAT_CHECKS, LEARNER_CHECKS, check_plugin
from tests.guide import GUIDE
from tests.plugins.conftest import EXAMPLE, Install
from tests.plugins.test_exchanging import FORMAT
from tests.plugins.test_learning import LEARNER
from tests.plugins.test_registry import DESCRIPTOR

BOXES_ONLY = ("yolo", "fiftyonedetection")

GOOD = (
    DESCRIPTOR.replace("version = 1\n", 'version = 1\n    summary = "Mean levels"\n')
    .replace("dimension = 2", "dimension = 3")
    .replace("np.zeros(2, np.float32)", "image.rgb.mean((0, 1)).astype(np.float32)")
)
MEAN = "image.rgb.mean((0, 1)).astype(np.float32)"


@pytest.mark.usefixtures("with_example")
def test_the_example_passes_all_checks() -> None:
    done = check_plugin("example-for-focal")
    assert len(done) == len(DESCRIPTOR_CHECKS) + len(LEARNER_CHECKS) + len(FORMAT_CHECKS)
    assert "descriptors row_colors: odd sizes" in done
    assert "formats taglines: other files are refused" in done


@pytest.mark.parametrize("check", FORMAT_CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", [name for name in FORMATS if name not in BOXES_ONLY])
def test_the_formats_of_focal_pass_the_checks(name: str, check: Callable[[FileFormat], None]) -> None:
    check(FORMATS[name])


@pytest.mark.parametrize("check", DESCRIPTOR_CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_a_good_descriptor_passes(check: Callable[[Lbp], None]) -> None:
    check(Lbp())


@pytest.mark.parametrize(
    ("was", "becomes", "check"),
    [
        (MEAN, "image.rgb.mean((0, 1))", "shape_and_type"),
        (MEAN, "np.zeros(3, np.float32)", "different_pictures_differ"),
        (MEAN, "np.random.rand(3).astype(np.float32)", "same_pixels_give_the_same"),
        (MEAN, f"({MEAN} / {MEAN}.sum())", "plain_images"),
        (MEAN, f"{MEAN} if len(image.rgb) > 1 else np.zeros(0, np.float32)", "odd_sizes"),
        (MEAN, "image.cached('odd', lambda: image.rgb.mean((0, 1)).astype(np.float32))", "vector_owns_its_memory"),
        ("dimension = 3", "dimension = 4", "shape_and_type"),
        ('summary = "Mean levels"', 'summary = "Mean levels."', "key"),
        ("dimension = 3", "dimension = 3\n    size: float = 2.0", "bad_parameters_are_refused"),
        (MEAN, "image.other", "same_pixels_give_the_same"),
    ],
)
def test_a_bad_descriptor_fails(install: Install, was: str, becomes: str, check: str) -> None:
    install("odd_bad", GOOD.replace(was, becomes), descriptors="odd = odd_bad:ODD")
    assert plugin_descriptors(), [one.error for one in installed(Group.DESCRIPTORS)]
    with pytest.raises(AssertionError, match=f"descriptors odd: check_{check}: "):
        check_plugin("odd_bad")


@pytest.mark.parametrize(
    ("more", "check"),
    [
        ("    summary = 'Learns nothing.'", "documents_itself"),
        ("    def __init__(self, ridge=0.1):\n        self.ridge = 2 * ridge", "constructor_only_stores"),
        ("    def fit(self, X, y=None, **more):\n        X *= 2\n        return super().fit(X, y, **more)", "."),
        ("    def _pair_distance(self, A, B):\n        return -super()._pair_distance(A, B)", "distances_agree"),
        ("    def transform(self, X):\n        return super().transform(X).astype(float)", "embedding"),
        ("    def nothing_to_learn(self, why=''):\n        return ValueError('no')", "missing_feedback_is_told"),
        ("    is_metric = True\n    def _pair_distance(self, A, B):\n"
         "        return super()._pair_distance(A, B) ** 2", "distances_agree"),
    ],
)  # fmt: skip
def test_a_bad_learner_fails(install: Install, more: str, check: str) -> None:
    install("odd_learner", f"{LEARNER}\n{more}\n", learners="odd = odd_learner:Odd")
    with pytest.raises(AssertionError, match=f"learners odd: check_.*{check}.*: "):
        check_plugin("odd_learner")


@pytest.mark.parametrize(
    ("name", "check"),
    [("READS", "other_files_are_refused"), ("WRITES", "no_photos"), ("SAVES", "tags_are_read_back")],
)
def test_a_bad_format_fails(install: Install, name: str, check: str) -> None:
    source = FORMAT.replace("save_photos=", "tags=Reader(read, 'odd'), save_photos=")
    install("odd_format", source, formats=f"odd = odd_format:{name}")
    with pytest.raises(AssertionError, match=r"formats odd: (check_|The format Odd of odd_format failed)"):
        check_plugin("odd_format")


def test_what_does_not_load_or_is_not_installed_fails(install: Install) -> None:
    with pytest.raises(AssertionError, match="No installed package 'odd_none'"):
        check_plugin("odd_none")
    install("odd_import", "import not_here_at_all", learners="odd = odd_import:ODD")
    with pytest.raises(AssertionError, match="learners odd: It cannot be loaded"):
        check_plugin("odd_import")


def test_the_kit_needs_no_development_packages() -> None:
    code = (
        "import sys, focal_photos.testing\n"
        "assert not {'pytest', 'hypothesis', 'sklearn', 'PySide6'} & sys.modules.keys(), sys.modules.keys()"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("chapter", ["plug-ins.md", "de/plug-ins.md"])
def test_the_guide_shows_the_example_that_is_tested(chapter: str) -> None:
    text = (GUIDE / chapter).read_text(encoding="utf-8")
    shown = re.findall(r"^```(?:toml|python)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    files = [EXAMPLE / "pyproject.toml"]
    files += [EXAMPLE / "focal_example" / f"{name}.py" for name in ("row_colors", "axis_ratio", "taglines")]
    licence = "# {}-License-Identifier: MIT\n".format("SPDX")  # reuse lint reads this file too
    assert shown == [file.read_text(encoding="utf-8").removeprefix(licence) for file in files]
    assert all(f"`focal_example/{file.name}`" in text for file in files[1:])
