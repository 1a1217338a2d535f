"""The error that all learners raise."""

from __future__ import annotations


class LearnerError(ValueError):
    """Input that a learner cannot use; the message says what is wrong and what to do."""
