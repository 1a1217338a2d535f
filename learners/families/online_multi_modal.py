"""Online multi-modal distance learning (Xia et al. 2013): a metric for each feature family, and their weights."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from learners.core.candidate import Candidate, at_least
from learners.core.feature_space import FeatureFamily
from learners.core.groups import shared_groups
from learners.core.linalg import blocks
from learners.core.side_information import SideInformation
from learners.families.modalities import Modalities, families
from learners.families.multi_kernel import ratio_axes
from learners.families.online_multi_modal_steps import OnlineMultiModal

_ROWS = 4096

_KNOWN = 0.1
"""Share of the largest step over triplets that the axes of the start come from."""


class OmdlLowRank(OnlineMultiModal):
    """Online multi-modal distance learning in few coordinates (OMDL-LR): weights of feature families, and a metric.

    As the paper has it (`one_kernel` false), ``d(x, x') = sum_p mu_p (z_p - z_p')' W_p (z_p - z_p')`` with coordinates
    z_p of the kernel of family p. Each triplet moves every W_p by a passive-aggressive step, and lowers the weight mu_p
    of the families that had it wrong. Otherwise, and by default, the weights mix the kernels, and one W acts in the
    coordinates z of ``sum_p mu_p k_p``: families complete each other in a metric, which a sum of metrics cannot have.

    Parameters
    ----------
    groups : tuple of FeatureFamily
        The families; empty: all columns are one.
    mode : {"kernel-pca", "nystroem", "random"}
        Coordinates: kernel principal components; the Nyström map of `components` landmarks; a Gaussian projection
        of kernel values, as the paper prints it.
    one_kernel : bool
        Whether the families are mixed into one kernel; otherwise each has a metric of its own, as in the paper.
    unit : bool
        Whether the embedding is scaled to rows of length 1, so that rankings go by the angle; the paper does not.
    components : int
        Coordinates of each kernel; those of one kernel are then turned into at most `axes`.
    axes : int
        Of one kernel: in these the photos of a judged group lie close together
        (`learners.families.multi_kernel.ratio_axes`).
    landmarks : int
        Up to so many photos all of them define the kernels, above it a sample.
    C1 : float
        Weight of the graph Laplacian, with ``K L K`` scaled to spectral norm 1; 0 to 1e-3 make no difference.
    C2 : float
        Largest step; for a metric a family 0.3 to 10 make no difference. With one kernel a tenth of it in `fit`, where
        the axes know what the triplets say.
    margin : float
        By how much the dissimilar photo is to be further away, the mean squared distance at the start being 1; the
        paper's is 1. With axes that fit the judged groups already, a small one leaves alone what is right.
    kappa : float
        ``mu_p ~ exp(-kappa * share of triplets that p had wrong)``: the paper's ``eta = exp(-kappa / triplets)``.
    neighbors : int
        Of a photo in the graph.
    per_photo : int
        Triplets drawn for each tagged photo.
    epochs, max_triplets : int
        How often `fit` goes through the triplets, and how many it takes at most.
    project_every : int
        Triplets between two projections to positive semidefinite matrices; 1 is the paper.
    euclidean_blend : float
        Weight of the squared distance without learning (all families alike, W_p = I), relative to the learned one; 0 is
        the paper. With one kernel that of the mixed kernel, which goes into the axes at the start.
    output_components : int
        Largest dimension of the embedding: the principal axes of all families with the largest variances.
    random_state : int

    Attributes
    ----------
    family_weights_ : dict of str to float
        mu_p by the name of the family; they add up to 1.
    W_ : tuple of ndarray of float64, shape (r, r)
    errors_ : ndarray of float64, shape (modalities,)
        Triplets that each modality had wrong when they were new, of all `seen_`; the one kernel is one modality.
    groups_, landmarks_, gammas_, projections_, offsets_, covariances_, mix_
        The coordinates, see `learners.families.modalities.Modalities`.
    A_ : tuple of ndarray of float64, shape (r, q)
        From the coordinates of each family to its part of the embedding.

    Notes
    -----
    Departures from the paper (ALGORITHMS.md, 3.3 to 3.5). (1) A triplet is judged before the step, not after: after it
    hardly any is wrong, and the weights learn nothing. (2) W is projected every 50 triplets instead of each (mAP .2410
    for .2399 on Corel-5k). (3) Kernel principal components instead of a random projection (.241 for .179). (4) Every
    family starts with 50 triplets half of which are wrong, so that the first mistake does not decide. (5) Pairs
    without a counterpart make triplets too (`learners.core.groups.triplets`). (6) One kernel: the weights come from the
    triplets that each family's kernel has wrong without learning, and stay as they are in `partial_fit`; the metric
    starts from a closed form of the judged groups (tags, and chains of similar pairs), mixed with the distance
    without learning, which is all there is where nobody judged two photos similar. (7) Rows of length 1.
    `components`, `landmarks` and `kappa` were chosen on the validation photos of a split of Corel-5k, the form of (6)
    and (7) and the size of the steps on the test photos of two others; the benchmark's splits are none of these.

    Cost of `fit` with one kernel, m landmarks, r components: 10 m^2 (d + r) + m^3 + r^3, and r is
    then `axes`. Otherwise for each family of d columns with m landmarks and r coordinates: 10 m^2 (d + m) + m^3 for the
    kernel. For t triplets t r^2 and t / 50 eigendecompositions of r for each modality. `partial_fit` of t triplets:
    m (d + r) and r^2 for each, two eigendecompositions of r for each modality (7 ms with 13 families and 1,000
    landmarks, however many photos there are).

    References
    ----------
    .. [1] H. Xia, P. Wu, S. C. H. Hoi, "Online multi-modal distance learning for scalable multimedia retrieval", WSDM
       2013, equations 9-22, Algorithm 1 and section 4.4. doi:10.1145/2433396.2433453
    """

    name: ClassVar[str] = "omdl-lr"
    title: ClassVar[str] = "Online multi-modal, low rank"
    family: ClassVar[str] = "Families of features"
    summary: ClassVar[str] = "A metric for each family of features, and how much each family counts"
    source: ClassVar[str] = "Xia et al. 2013"
    candidates: ClassVar[tuple[Candidate, ...]] = (at_least(40, 40, 3, epochs=1, max_triplets=8000, components=50),)

    def __init__(
        self,
        groups: tuple[FeatureFamily, ...] = (),
        mode: Literal["kernel-pca", "nystroem", "random"] = "kernel-pca",
        one_kernel: bool = True,
        unit: bool = True,
        components: int = 1000,
        axes: int = 128,
        landmarks: int = 1500,
        C1: float = 0.0,
        C2: float = 0.1,
        margin: float = 0.1,
        kappa: float = 20.0,
        neighbors: int = 50,
        per_photo: int = 10,
        epochs: int = 2,
        max_triplets: int = 25_000,
        project_every: int = 50,
        euclidean_blend: float = 0.25,
        output_components: int = 256,
        random_state: int = 0,
    ) -> None:
        self.groups = groups
        self.mode = mode
        self.one_kernel = one_kernel
        self.unit = unit
        self.axes = axes
        self.components = components
        self.landmarks = landmarks
        self.C1 = C1
        self.C2 = C2
        self.margin = margin
        self.kappa = kappa
        self.neighbors = neighbors
        self.per_photo = per_photo
        self.epochs = epochs
        self.max_triplets = max_triplets
        self.project_every = project_every
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.random_state = random_state

    def _map(
        self, X: NDArray[Any], side: SideInformation, found: NDArray[np.intp]
    ) -> tuple[Modalities, tuple[NDArray[np.float64], ...]]:
        if not self.one_kernel:
            return Modalities.fit(X, self.groups, self.mode, self.components, self.landmarks, self.random_state)
        groups = families(self.groups, X.shape[1])
        mix = self._shares(_wrong(X, groups, found), len(found))[None]
        modalities, (C,) = Modalities.fit(X, groups, self.mode, self.components, self.landmarks, self.random_state, mix)
        known = shared_groups(side.absolute(), len(X), self.random_state)
        (Z,) = modalities.coordinates(X[known.rows])
        L = ratio_axes(Z, known.groups, C, self.axes, self.euclidean_blend)
        (projection,), (offset,) = modalities.projections, modalities.offsets
        return replace(modalities, projections=(projection @ L,), offsets=(offset @ L,)), (L.T @ C @ L,)

    def _largest_at_first(self) -> float:
        # The axes know these triplets already: whole steps over them cost .015 mAP on Corel-5k.
        return self.C2 * (_KNOWN if self.one_kernel else 1.0)

    def _embed(self, X: NDArray[Any]) -> NDArray[Any]:
        Z = super()._embed(X)
        if not self.unit:
            return Z
        length = np.sqrt(np.einsum("ij,ij->i", Z, Z))[:, None]
        return np.asarray(np.divide(Z, length, out=np.zeros_like(Z), where=length > 0))


class Omdl(OnlineMultiModal):
    """Online multi-modal distance learning in full kernels (Algorithm 1), for small collections.

    ``d(x, x') = sum_p mu_p (K_x - K_x')' W_p (K_x - K_x')`` with the kernel values K_x of family p at all training
    photos.

    Parameters
    ----------
    groups
        As in `OmdlLowRank`.
    C1, C2, margin, kappa, neighbors
        As in `OmdlLowRank`.
    per_photo, epochs, max_triplets, project_every
        As in `OmdlLowRank`.
    euclidean_blend, output_components, random_state
        As in `OmdlLowRank`.
    limit : int
        Largest number of photos.

    Attributes
    ----------
    family_weights_, W_, errors_, seen_, A_
        As in `OmdlLowRank`, with W of shape (n, n).

    Notes
    -----
    Departures (1), (2), (4) and (5) of `OmdlLowRank`; and kernel values are scaled so that their mean squared
    distance is 1 in every family, which makes one C2 fit all.

    Cost for each family: n^2 d for the kernel, for t triplets t n^2 and t / 50 eigendecompositions of n; memory n^2.

    References
    ----------
    .. [1] H. Xia, P. Wu, S. C. H. Hoi, "Online multi-modal distance learning for scalable multimedia retrieval", WSDM
       2013, equations 9-22 and Algorithm 1. doi:10.1145/2433396.2433453
    """

    _full: ClassVar[bool] = True
    name: ClassVar[str] = "omdl"
    title: ClassVar[str] = "Online multi-modal, full kernels"
    family: ClassVar[str] = "Families of features"
    summary: ClassVar[str] = "The same in full kernels, from a few hundred photos"
    source: ClassVar[str] = "Xia et al. 2013"
    rows: ClassVar[int] = 500

    def __init__(
        self,
        groups: tuple[FeatureFamily, ...] = (),
        C1: float = 0.0,
        C2: float = 1.0,
        margin: float = 1.0,
        kappa: float = 5.0,
        neighbors: int = 5,
        per_photo: int = 10,
        epochs: int = 2,
        max_triplets: int = 25_000,
        project_every: int = 50,
        euclidean_blend: float = 0.25,
        output_components: int = 256,
        random_state: int = 0,
        limit: int = 500,
    ) -> None:
        self.groups = groups
        self.C1 = C1
        self.C2 = C2
        self.margin = margin
        self.kappa = kappa
        self.neighbors = neighbors
        self.per_photo = per_photo
        self.epochs = epochs
        self.max_triplets = max_triplets
        self.project_every = project_every
        self.euclidean_blend = euclidean_blend
        self.output_components = output_components
        self.random_state = random_state
        self.limit = limit

    def _map(
        self,
        X: NDArray[Any],
        side: SideInformation,  # noqa: ARG002
        found: NDArray[np.intp],  # noqa: ARG002
    ) -> tuple[Modalities, tuple[NDArray[np.float64], ...]]:
        self._require_few(len(X), self.limit)
        return Modalities.fit(X, self.groups, "full", len(X), len(X), self.random_state)


def _wrong(X: NDArray[Any], groups: tuple[FeatureFamily, ...], found: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return how many triplets each family has wrong by its kernel, which falls with the distance."""
    wrong = np.zeros(len(groups))
    for p, group in enumerate(groups):
        values = X[:, group.start : group.stop]
        for part in blocks(len(found), _ROWS):
            i, j, k = (values[rows].astype(np.float64) for rows in found[part].T)
            wrong[p] += np.count_nonzero(np.square(i - j).sum(axis=1) > np.square(i - k).sum(axis=1))
    return wrong
