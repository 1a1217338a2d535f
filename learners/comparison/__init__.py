# SPDX-License-Identifier: MIT
"""Well-known metrics to compare the others with: GMML, KISSME, ITML, SCML, LSML, MMC and MLKR.

Uses `core`. Entry point: `PairMetric`, the base of all. None of them is tried by Automatic.
"""
