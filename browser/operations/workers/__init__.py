"""Processes and threads that do heavy or dangerous work: they may die or hang, and the library survives it.

Uses `jobs`. Entry points: `sandbox` for single calls, `describe_photos` for many photos. Both stand on `process_pool`,
the one place where processes are started, limited in time and memory, and watched.
"""
