# SPDX-License-Identifier: MIT
"""Runs ``focal`` for ``python -m focal_photos.browser``."""

import sys

from focal_photos.browser.cli import main

sys.exit(main())
