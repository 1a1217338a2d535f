"""Local distances of a library: patches of photos, focal images learned on demand, rankings and recognition by them.

Uses `photos`, `describing`, `workers`, `jobs`. Entry points: `rank_locally` in `rank`, `LocalMetric` in `metric`.
"""
