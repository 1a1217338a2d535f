# SPDX-License-Identifier: MIT
"""Checks for plug-ins: those that all descriptors and learners of Focal pass, and round trips of file formats.

A check is a function that raises an `AssertionError` if something is wrong. With pytest, one line per kind makes a test
of each check::

    import pytest
    from focal_photos.testing import DESCRIPTOR_CHECKS

    @pytest.mark.parametrize("check", DESCRIPTOR_CHECKS, ids=lambda check: check.__name__)
    def test_my_descriptor(check):
        check(MY_DESCRIPTOR)

`check_plugin` runs all checks on everything that an installed package offers, without pytest.

* `DESCRIPTOR_CHECKS` take a `GlobalDescriptor`.
* `LEARNER_CHECKS` take a class derived from `DistanceLearner`. Metrics can be saved only if the package is installed.
* `FORMAT_CHECKS` take a `FileFormat`.

Needs neither pytest nor any other package beyond those of Focal.
"""

from __future__ import annotations

from focal_photos.browser.operations.exchange.formats import format_of
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.features.plugins import plugin_descriptors
from focal_photos.learners import LEARNERS
from focal_photos.plugin_registry import Group, Plugin, installed
from focal_photos.testing.descriptor_checks import DESCRIPTOR_CHECKS
from focal_photos.testing.format_checks import FORMAT_CHECKS
from focal_photos.testing.learner_checks import LEARNER_CHECKS

__all__ = ["DESCRIPTOR_CHECKS", "FORMAT_CHECKS", "LEARNER_CHECKS", "check_plugin"]


def check_plugin(package: str) -> list[str]:
    """Load everything that an installed package offers, and run all checks on it.

    Parameters
    ----------
    package : str
        Name of the package, as pip knows it.

    Returns
    -------
    list of str
        The checks, such as ``"learners my-learner: progress"``.

    Raises
    ------
    AssertionError
        At the first check that fails, or if the package offers nothing or something does not load. The message names
        both.
    """
    offered = [one for one in installed() if one.package == package]
    assert offered, f"No installed package {package!r} has entry points of the groups focal_photos.*."
    done = []
    for one in offered:
        done += _check(one)
    return done


def _check(one: Plugin) -> list[str]:
    """Check one entry point; return the checks."""
    done = []
    try:
        match one.group:
            case Group.DESCRIPTORS:
                descriptor = plugin_descriptors([one.name]).get(one.name)
                for check in DESCRIPTOR_CHECKS if descriptor is not None else ():
                    done.append(check.__name__)
                    check(descriptor)  # type: ignore[arg-type]
            case Group.LEARNERS:
                learner = LEARNERS.get(one.name)
                for check_learner in LEARNER_CHECKS if learner is not None else ():
                    done.append(check_learner.__name__)
                    check_learner(learner)  # type: ignore[arg-type]
            case Group.FORMATS:
                format_of(one.name)
                for check_format in FORMAT_CHECKS:
                    done.append(check_format.__name__)
                    check_format(one.offered())  # type: ignore[arg-type]
    except OperationError as error:
        raise AssertionError(f"{one.group} {one.name}: {error}") from error
    except Exception as error:
        reason = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
        raise AssertionError(f"{one.group} {one.name}: {done[-1]}: {reason}") from error
    assert one.error is None, f"{one.group} {one.name}: {one.error}"
    return [f"{one.group} {one.name}: {name.removeprefix('check_').replace('_', ' ')}" for name in done]
