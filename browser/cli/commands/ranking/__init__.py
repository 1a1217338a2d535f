# SPDX-License-Identifier: MIT
"""Commands that rank photos, and that train, evaluate and choose metrics."""
