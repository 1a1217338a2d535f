# What stands in `focal_photos`, for type checkers; a test compares it with what is there.

from focal_photos.browser.scripting.describe import BrokenPhotoError as BrokenPhotoError
from focal_photos.browser.scripting.describe import Described as Described
from focal_photos.browser.scripting.describe import describe as describe
from focal_photos.browser.scripting.library_view import LibraryView as LibraryView
from focal_photos.browser.scripting.library_view import RankedPhotos as RankedPhotos
from focal_photos.browser.scripting.library_view import open as open
from focal_photos.features.base import CodeDescriptor as CodeDescriptor
from focal_photos.features.base import GlobalDescriptor as GlobalDescriptor
from focal_photos.features.base import LocalDescriptor as LocalDescriptor
from focal_photos.features.base import LocalFeatures as LocalFeatures
from focal_photos.features.decoding.image import WorkingImage as WorkingImage
from focal_photos.features.local.elementary_distances import elementary_distances as elementary_distances
from focal_photos.learners import LEARNERS as LEARNERS
from focal_photos.learners import LearnerError as LearnerError
from focal_photos.learners import create as create
from focal_photos.learners.boosted.bdm import BoostedKernelMetric as BoostedKernelMetric
from focal_photos.learners.boosted.bdm import BoostedMetric as BoostedMetric
from focal_photos.learners.boosted.bdm import BoostedMetricVisual as BoostedMetricVisual
from focal_photos.learners.boosted.dist_boost import DistBoost as DistBoost
from focal_photos.learners.core.feature_space import FeatureFamily as FeatureFamily
from focal_photos.learners.core.feature_space import FeatureSpace as FeatureSpace
from focal_photos.learners.core.side_information import SideInformation as SideInformation
from focal_photos.learners.families.kernel_combinations import KernelBest as KernelBest
from focal_photos.learners.families.kernel_combinations import KernelConcatenated as KernelConcatenated
from focal_photos.learners.families.kernel_combinations import KernelUniform as KernelUniform
from focal_photos.learners.families.kernel_combinations import KernelWeighted as KernelWeighted
from focal_photos.learners.families.online_multi_modal import Omdl as Omdl
from focal_photos.learners.families.online_multi_modal import OmdlLowRank as OmdlLowRank
from focal_photos.learners.families.partial_order import Mkpoe as Mkpoe
from focal_photos.learners.kernel.kernel_metric import KernelMetric as KernelMetric
from focal_photos.learners.kernel.kernel_metric import StepwiseKernelMetric as StepwiseKernelMetric
from focal_photos.learners.linear.euclidean import Euclidean as Euclidean
from focal_photos.learners.linear.neighbors import Lmnn as Lmnn
from focal_photos.learners.linear.neighbors import Nca as Nca
from focal_photos.learners.linear.oasis import Oasis as Oasis
from focal_photos.learners.linear.ratio import Lda as Lda
from focal_photos.learners.linear.ratio import RatioMetric as RatioMetric
from focal_photos.learners.linear.rca import Dca as Dca
from focal_photos.learners.linear.rca import KernelRca as KernelRca
from focal_photos.learners.linear.rca import Rca as Rca
from focal_photos.learners.local.local_distances import LocalDistances as LocalDistances
from focal_photos.learners.persistence import load as load
from focal_photos.learners.persistence import save as save
from focal_photos.learners.tags.multi_label import KernelMultiLabelMetric as KernelMultiLabelMetric
from focal_photos.learners.tags.multi_label import KernelTagRatioMetric as KernelTagRatioMetric
from focal_photos.learners.tags.multi_label import MultiLabelMetric as MultiLabelMetric
from focal_photos.learners.tags.multi_label import TagRatioMetric as TagRatioMetric
from focal_photos.learners.tags.tag_classifier import TagClassifier as TagClassifier

__all__: list[str]
__version__: str
