# SPDX-License-Identifier: MIT
"""Entry point of a bundle: Focal's command line."""

import sys

from focal_photos.browser.cli import main

if __name__ == "__main__":
    sys.exit(main())
