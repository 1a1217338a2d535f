# SPDX-License-Identifier: MIT
"""Array helpers that release the interpreter lock, so that other threads run meanwhile.

Entry point: `distinct`.
"""
