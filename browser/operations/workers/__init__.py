# SPDX-License-Identifier: MIT
"""Processes and threads for heavy or dangerous work, whose crashes and hangs do not harm the library.

Uses `jobs`. Entry points: `sandbox` for single calls, `describe_photos` for many photos. Both are based on
`process_pool`, the only place where processes are started, limited in time and memory, and monitored.
"""
