"""Errors that every file of the room may raise; apart, so that no file needs another one for them."""

from __future__ import annotations


class LearnerError(ValueError):
    """Input that a learner cannot use; the message says what is wrong and what to do."""
