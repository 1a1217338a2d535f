"""Settings of the process that numpy and its libraries read when they are loaded: import this module before them."""

from __future__ import annotations

import os

# numpy and scipy carry an OpenBLAS each, whose threads spin while they wait for work and so take the cores from one
# another. 4 is the logarithm to base 2 of the turns they spin: they sleep at once (OpenBLAS, issue 5171).
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
