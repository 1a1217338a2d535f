# SPDX-License-Identifier: MIT
"""Descriptors from neural networks in ONNX files.

Uses `decoding`. Entry point: `NetworkDescriptor`.
"""
