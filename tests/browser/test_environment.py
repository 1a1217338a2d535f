# SPDX-License-Identifier: MIT
"""A start executes no slow module that most starts do not use."""

from __future__ import annotations

import os
import shutil
import time

import pytest

from tests.browser.cli.command_line import Focal, run_python
from tests.browser.operations.album import Album

SLOW = "{'sklearn', 'scipy.sparse', 'scipy.optimize', 'scipy.fft', 'scipy.stats', 'skimage', 'joblib', 'PIL', 'cv2'}"
"""Modules that take at least half as long to load as numpy and that few commands use."""

NOT_TO_TAG = """{
    'numpy', 'csv', 'xml', 'socket', '_strptime', 'zipfile', 'filelock', 'dataclasses', 'inspect', 'logging',
    'hashlib', '_hashlib', 'shutil', 'tempfile', 'platform', 'platformdirs', 'ctypes', 'pickle', 'asyncio',
}"""
"""Modules that commands on metadata do not need; each takes milliseconds to load."""


NO_ROOMS = """
rooms = ('learners.kernel', 'learners.linear', 'learners.boosted', 'learners.families', 'learners.local',
         'learners.evaluation', 'features.table', 'features.texture', 'features.network', 'features.decoding.formats',
         'features.metadata', 'browser.operations.training', 'browser.operations.library',
         'browser.operations.metadata', 'browser.operations.exchange.archives',
         'browser.operations.tagging.learn_tags', 'browser.operations.ranking.why_near', 'browser.views.settings.',
         'browser.views.help.guide_window')
rooms = tuple(f'focal_photos.{room}' for room in rooms)
found = [name for name in loaded() if name.startswith(rooms)]
assert not found, found
"""
"""Modules that the window loads on first use or ahead of that in the background, see `models/work/ahead.py`."""


LOADED = """
import sys
def loaded():
    from focal_photos.browser.lazy_imports import is_executed
    return {name for name, module in sys.modules.items() if is_executed(module) and getattr(module, '__file__', None)}
"""
"""Defines the modules that are loaded, without those that are only declared (`browser/lazy_imports.py`)."""


def run(script: str) -> None:
    run_python(LOADED + script)


def test_importing_index_and_train_loads_no_slow_modules() -> None:
    run(
        "import sys, focal_photos.learners.persistence\n"
        "import focal_photos.browser.operations.training.train, focal_photos.browser.operations.tagging.suggest\n"
        "assert not {'sklearn', 'scipy.sparse', 'scipy.optimize', 'scipy.stats', 'skimage'} & loaded()\n"
    )


@pytest.mark.slow
def test_ranking_described_photos_loads_neither_learners_nor_decoders(here: Focal, album: Album) -> None:
    """The focal image is given by its path or its content, and ranked in the feature space or by a trained metric."""
    here("index", album.folder)
    photo, others = album.path("warm/0.jpg"), (album.path("warm/1.jpg"), album.path("cold/1.jpg"))
    for other, verdict in zip(others, ("--similar", "--dissimilar"), strict=True):
        here("judge", photo, other, verdict)
    here("train", "--learner", "kernel")
    copied = shutil.copy(photo, here.library.parent / "copy.jpg")
    for words in ([photo], [photo, "--metric", "euclidean"], [copied], [others[0], "--no-rerank", "--limit", "3"]):
        command = ["rank", *map(str, words), "--library", str(here.library)]
        run(
            "import sys\nfrom focal_photos.browser.cli import main\n"
            f"assert main({command!r}) == 0\n"
            f"slow = {SLOW} & loaded()\n"
            "assert not slow, slow\n"
            "rooms = ('learners.linear', 'learners.boosted', 'learners.families', 'browser.operations.training',\n"
            "         'features.description', 'features.network', 'browser.operations.ranking.why_near',\n"
            "         'browser.operations.workers')\n"
            "rooms = tuple(f'focal_photos.{room}' for room in rooms)\n"
            "assert not [name for name in loaded() if name.startswith(rooms)]\n"
        )


@pytest.mark.slow
def test_a_second_ranking_loads_no_descriptors(here: Focal, album: Album) -> None:
    """The first ranking stores its findings once the files it depends on are some seconds old."""
    here("index", album.folder)
    photo = album.path("warm/0.jpg")
    for path in (here.library / "derived").rglob("*"):
        if path.is_file():
            os.utime(path, (0, time.time() - 3600))
    command = ["rank", str(photo), "--library", str(here.library)]
    said = here(*command[:-2])
    script = (
        "import io, sys\nfrom contextlib import redirect_stdout\nfrom focal_photos.browser.cli import main\n"
        f"with redirect_stdout(io.StringIO()) as out:\n    assert main({command!r}) == 0\n"
        f"assert out.getvalue() == {said!r}, out.getvalue()\n"
    )
    run(script)
    run(
        f"{script}rooms = ('features.', 'learners.core.learner', 'learners.core.side_information',\n"
        "         'browser.operations.describing.descriptors', 'learners.galleries.indexed_gallery')\n"
        "rooms = tuple(f'focal_photos.{room}' for room in rooms)\n"
        "found = [name for name in loaded() if name.startswith(rooms)]\n"
        "assert not found, found\n"
    )


def test_a_worker_without_a_description_task_loads_no_scipy() -> None:
    run(
        "import sys\n"
        "from focal_photos.browser.operations.workers import process_executor, worker_main\n"
        "assert not {'scipy', 'skimage', 'sklearn'} & {name.split('.')[0] for name in loaded()}\n"
    )


def test_tag_and_judge_load_neither_numpy_nor_file_formats(here: Focal, album: Album) -> None:
    here("index", album.folder, "--descriptors", "color_moments")
    one, other = str(album.path("warm/0.jpg")), str(album.path("warm/1.jpg"))
    here("tag", one, "+first")  # makes the backup of the day
    for words in (["tag", one, "+sea", "-sky"], ["judge", one, other, "--similar"], ["rate", one, "--rating", "4"]):
        run(
            "import sys\nbefore = set(sys.modules)  # of what measures the coverage, where that is measured\n"
            "from focal_photos.browser.cli import main\n"
            f"assert main({[*words, '--library', str(here.library)]!r}) == 0\n"
            f"found = {NOT_TO_TAG} & (loaded() - before)\n"
            "assert not found, found\n"
            "assert not [name for name in loaded() if name.endswith(('query.syntax', 'exchange.file_contents'))]\n"
            "assert not [name for name in loaded() if name.endswith('_format') and 'exchange' in name and "
            "name.rpartition('.')[2] != 'file_format']\n"
        )


@pytest.mark.slow
@pytest.mark.parametrize("query", ["tag:sea -missing", "rating>=4 or tag:sea", "date:2024"])
def test_listing_few_photos_loads_no_numpy(here: Focal, album: Album, query: str) -> None:
    here("index", album.folder, "--descriptors", "color_moments")
    here("tag", album.path("warm/0.jpg"), "+sea")
    command = ["list", *query.split(), "--library", str(here.library)]
    for words in (command, [*command, "--json"]):
        run(
            "import sys\nbefore = set(sys.modules)\nfrom focal_photos.browser.cli import main\n"
            f"assert main({words!r}) == 0\n"
            f"found = {NOT_TO_TAG} & (loaded() - before)\n"
            "assert not found, found\n"
        )


def test_texture_filters_load_no_scipy() -> None:
    run(
        "import sys\nimport numpy as np\nfrom focal_photos.features.decoding.image import WorkingImage\n"
        "from focal_photos.features.texture.gabor import Gabor\nfrom focal_photos.features.texture.gist import Gist\n"
        "image = WorkingImage.from_array(np.arange(40 * 60 * 3).reshape(40, 60, 3).astype(np.uint8))\n"
        "assert Gabor().extract(image).any() and Gist().extract(image).any()\n"
        "assert 'scipy' not in loaded()\n"
    )


@pytest.mark.slow
def test_the_window_loads_only_what_its_first_pictures_need() -> None:
    run(
        "import sys, focal_photos.browser.app\n"
        "slow = {'cv2', 'email', 'sklearn', 'scipy', 'skimage', 'pywt', 'pyqtgraph', 'onnxruntime', 'PIL', 'lxml',\n"
        "        'watchdog', 'numpy.ma'}\n"
        "assert not slow & loaded(), slow & loaded()\n"
        f"{NO_ROOMS}"
    )


@pytest.mark.slow
def test_loading_the_window_does_not_read_the_source_of_its_modules() -> None:
    run(
        "import sys, linecache, focal_photos.browser.app\n"
        "read = [name for name in linecache.cache if name.endswith('.py')]\n"
        "assert len(read) < 20, (len(read), read[:30])  # those that PySide6 loads before its hook can be taken out\n"
        "from PySide6.QtWidgets import *\n"
        "from PySide6 import QtSvg\n"
        "assert QLabel.setText and QtSvg.QSvgRenderer.render\n"
    )
