"""What a start loads: nothing that is slow and that most starts do not use."""

from __future__ import annotations

from tests.browser.cli.command_line import run_python


def test_what_is_hardly_used_is_loaded_when_it_is_used() -> None:
    run_python(
        "import browser.environment, sys\n"
        "import browser.operations.library.index, browser.operations.training.train\n"
        "assert not {'scipy.stats._stats_py', 'sklearn.neighbors', 'skimage'} & sys.modules.keys()\n"
        "from scipy import stats\n"
        "assert stats.norm.cdf(0) == 0.5\n"
        "from scipy.stats import mstats, rankdata\n"
        "assert list(rankdata([3, 1, 2])) == [3, 1, 2] and mstats.gmean([4, 1]) == 2\n"
    )


def test_a_worker_that_describes_nothing_loads_no_scipy() -> None:
    run_python(
        "import sys\n"
        "import browser.operations.workers.worker_main, browser.operations.workers.process_executor\n"
        "assert not {'scipy', 'skimage', 'sklearn'} & {name.split('.')[0] for name in sys.modules}\n"
    )
