"""Compares onnxruntime and OpenCV on neural networks: differences and costs, on one thread.

    python -m tests.benchmarks.speed.network_backends [--save]

The networks have the layers of real ones with random weights: the cost does not depend on the weights.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import psutil

from focal_photos.features.network.backends import BackendName, load_backend
from tests.benchmarks.common.report import Report
from tests.features.network.made_networks import image_transformer, residual_network, text_transformer

ROUNDS: Final = 15
_IMAGES: Final = (224, 32, 768, 12, 12, 512)
_TEXTS: Final = (49_408, 77, 512, 12, 8, 512)
BOTH: Final[tuple[BackendName, ...]] = ("onnxruntime", "OpenCV")


@dataclass(frozen=True)
class Case:
    """One network and its input."""

    title: str
    output: str
    make: Any
    arguments: tuple[int, ...]
    inputs: dict[str, Any]


def cases() -> list[Case]:
    """Return an image transformer of the shape of ViT-B/32, its text encoder, and a convolutional network."""
    rng = np.random.default_rng(0)
    image = rng.normal(size=(1, 3, 224, 224)).astype(np.float32)
    tokens = rng.integers(0, 49_408, (1, 77))
    return [
        Case("images, ViT-B/32", "image_embeds", image_transformer, _IMAGES, {"pixel_values": image}),
        Case("texts beside it", "text_embeds", text_transformer, _TEXTS, {"input_ids": tokens}),
        Case("convolutions", "vector", residual_network, (224, 64), {"pixels": image}),
    ]


def measure(number: int, file: Path, backend: BackendName, answers: Any) -> None:
    """Load and run one network in this process, and report the costs."""
    cv2.setNumThreads(1)
    case = cases()[number]
    before = psutil.Process().memory_info().rss
    data, begun = file.read_bytes(), time.process_time()
    network = load_backend(data, [backend])
    loaded = time.process_time() - begun
    del data
    given = network.run(case.inputs, case.output)
    seconds = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        network.run(case.inputs, case.output)
        seconds.append(time.process_time() - begun)
    grown = (psutil.Process().memory_info().rss - before) / 1e6
    status = Path("/proc/self/status").read_text()  # getrusage includes the peak of the parent process
    peak = int(status.split("VmHWM:")[1].split()[0]) / 1e3 - before / 1e6
    answers.put((given, loaded, statistics.median(seconds), grown, peak))


def run() -> Report:
    """Measure each network and back end in a separate process."""
    spawn = multiprocessing.get_context("spawn")
    report = Report("networks", "Neural networks: onnxruntime compared with OpenCV")
    report.text(
        "Random weights in the layers of real networks, one thread. Processor time is the median of "
        f"{ROUNDS} runs. Memory is the growth of the process after loading, and at most while reading the file. "
        "The difference is the largest of all outputs, relative to the largest output."
    )
    rows = []
    for number, case in enumerate(cases()):
        found = {}
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "net.onnx"
            file.write_bytes(case.make(*case.arguments).SerializeToString())
            megabytes = file.stat().st_size / 1e6
            for backend in BOTH:
                answers = spawn.SimpleQueue()
                process = spawn.Process(target=measure, args=(number, file, backend, answers))
                process.start()
                found[backend] = answers.get()
                process.join()
        apart = np.abs(found["onnxruntime"][0] - found["OpenCV"][0]).max() / np.abs(found["OpenCV"][0]).max()
        for backend, (_, loaded, seconds, grown, peak) in found.items():
            took = [f"{loaded:.2f} s", f"{1000 * seconds:.1f} ms", f"{grown:.0f} MB", f"{peak:.0f} MB"]
            rows.append([case.title, f"{megabytes:.1f} MB", backend, *took, f"{apart:.0e}"])
    columns = ["network", "file", "back end", "loaded in", "an image or text", "memory", "at most", "difference"]
    report.table("Costs", columns, rows)
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", action="store_true")
    arguments = parser.parse_args()
    report = run()
    if arguments.save:
        report.save()


if __name__ == "__main__":
    main()
