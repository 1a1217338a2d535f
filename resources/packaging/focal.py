"""What a bundle starts: the command line of Focal."""

import sys

from focal_photos.browser.cli import main

if __name__ == "__main__":
    sys.exit(main())
