"""Processes and threads that do heavy or dangerous work: they may die or hang, and the library survives it.

Uses `jobs`. Entry points: `sandbox` for single calls, `pool` for many photos.
"""
