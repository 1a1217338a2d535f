"""``python -m focal_photos.browser`` is ``focal``."""

import sys

from focal_photos.browser.cli import main

sys.exit(main())
