# SPDX-License-Identifier: MIT
"""Environment of the program's processes: lazy imports, and numpy's libraries. Import this module before all others."""

from __future__ import annotations

import os

from focal_photos.browser import lazy_imports

lazy_imports.install()

# numpy and scipy each load an OpenBLAS, whose threads spin while they wait for work and so slow each other down. The
# value is log2 of the number of spins: with 4, threads sleep almost at once (OpenBLAS, issue 5171).
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
