"""``python -m browser`` is ``focal``."""

import sys

from browser.cli import main

sys.exit(main())
