"""What a person is told about each learner: its family, what it does, and the paper it comes from."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from browser.catalog.facts.records import Metric
from browser.catalog.library import Library
from browser.operations.ranking.local.metric import LOCAL, TITLE
from learners import LEARNERS
from learners.persistence import PersistenceError, peek


@dataclass(frozen=True)
class LearnerInfo:
    """One learner that can be trained.

    Attributes
    ----------
    name, title : str
        In the table of learners, and for a person.
    family : str
        Title of the group in which it is listed.
    text : str
        What it does, in one sentence.
    needs : str
        What it learns from; empty if nothing is learned from a person.
    source : str
        The paper.
    """

    name: str
    title: str
    family: str
    text: str
    needs: str
    source: str


AUTOMATIC: Final = LearnerInfo(
    "automatic",
    "Automatic",
    "Automatic",
    "Tries the learners that suit what there is, and takes the one that ranks best what it was not taught",
    "judged pairs or tags",
    "",
)
"""What a person may choose in the place of a learner; `browser.operations.training.automatic` trains it."""

_CHANG: Final = "Chang & Yeung 2006"
_YANG: Final = "Yang et al. 2010"
_QI: Final = "Qi et al. 2009"
_XIA: Final = "Xia et al. 2013"

_LOCAL_TEXT: Final = "Every photo has a distance of its own, and shows which of its parts matter"

_FAMILIES: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "Kernel": {
        "kernel": ("Pulls similar photos together and dissimilar ones apart, in the space of a kernel", _CHANG),
        "kernel-stepwise": (
            "The same batch by batch: each learns in the space that the ones before have reached",
            _CHANG,
        ),
    },
    "Boosted": {
        "bdm": ("Finds yes-or-no questions about photos whose answers agree where photos are similar", _YANG),
        "bdm-visual": ("Boosted bits that also keep together what looks alike", _YANG),
        "bdm-kernel": ("Boosted bits with curved borders, in the space of a kernel", _YANG),
        "dist-boost": ("Votes of many mixture models on whether two photos belong together", "Hertz et al. 2004"),
    },
    "Tags": {
        "tag-ratio": ("Stretches what tags predict and shrinks what they leave open", f"after {_QI}"),
        "tag-ratio-kernel": ("The tag ratio in the space of a kernel", f"after {_QI}"),
        "ml-dml": ("Shrinks the directions in which photos with the same tags differ", _QI),
        "kml-dml": ("The multi-label metric in the space of a kernel", _QI),
    },
    "Families of features": {
        "omdl-lr": ("A metric for each family of features, and how much each family counts", _XIA),
        "omdl": ("The same in full kernels, from a few hundred photos", _XIA),
        "mkpoe": ("All families' metrics fitted at once; slow, from a few hundred photos", "McFee & Lanckriet 2011"),
        "kernel-best": ("The one family of features that ranks best", _XIA),
        "kernel-weighted": ("Every family, those that rank better a little more", _XIA),
        "kernel-uniform": ("Every family alike; nothing is learned from you", _XIA),
        "kernel-concatenated": ("One kernel of all families side by side; nothing is learned from you", _XIA),
    },
    "Classics": {
        "ratio": (
            "Shrinks what varies within groups and stretches what varies between them",
            "closed form of LDA's ratio",
        ),
        "lda": ("Linear discriminant analysis: what separates the groups' means", "Fisher 1936"),
        "rca": ("Relevant component analysis: shrinks what varies among similar photos", "Bar-Hillel et al. 2003"),
        "krca": ("Relevant component analysis in the space of a kernel", "Tsang et al. 2005"),
        "dca": ("Discriminative component analysis: also pulls groups known to differ apart", "Hoi et al. 2006"),
        "nca": (
            "Neighbourhood components analysis: nearest photos should be of the same group",
            "Goldberger et al. 2005",
        ),
        "lmnn": ("Large margins between each photo's group and the others", "Weinberger et al. 2006"),
        "oasis": ("A similarity from triplets, one at a time; no metric", "Chechik et al. 2010"),
    },
}


def learner_table() -> tuple[LearnerInfo, ...]:
    """Return all learners that can be trained, family by family."""
    known = {
        name: LearnerInfo(name, LEARNERS[name].title, family, text, LEARNERS[name].needs, source)
        for family, members in _FAMILIES.items()
        for name, (text, source) in members.items()
        if name in LEARNERS
    }
    known[LOCAL] = LearnerInfo(LOCAL, TITLE, TITLE, _LOCAL_TEXT, "judged pairs, tags", "Frome et al. 2006")
    for name, kind in LEARNERS.items():
        if name not in known and name != "euclidean":
            known[name] = LearnerInfo(name, kind.title, "Others", kind.title, kind.needs, "")
    return tuple(known.values())


def family_weights(library: Library, metric: Metric) -> dict[str, float]:
    """Return how much each family of features counts in a metric, by name, the largest first; they add up to 1.

    Empty where the metric does not tell families apart, or its file cannot be read.
    """
    file = library.metrics.path(metric)
    kind = LEARNERS.get(metric.learner)
    if file is None or (metric.learner != AUTOMATIC.name and (kind is None or "groups" not in kind().get_params())):
        return {}
    found: dict[str, float] = {}
    with suppress(PersistenceError):
        found = {str(name): float(weight) for name, weight in peek(file, "learner").get("family_weights_", {}).items()}
    if len(found) < 2:
        return {}
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
