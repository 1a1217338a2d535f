# SPDX-License-Identifier: MIT
"""Metrics for programs without Focal: a NumPy script or an ONNX file, with a model card.

`portable_metric` reads a metric as steps, `steps_file` and `onnx_file` write them, `model_card` describes the metric,
and `export_metric` writes the folder.
"""
