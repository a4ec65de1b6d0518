"""What the package offers: each name, and the module that it is imported from when it is first used."""

from graphkit.microdata.utility.comparing import compare as compare
from graphkit.microdata.utility.comparison import AttributeChange as AttributeChange
from graphkit.microdata.utility.comparison import Comparison as Comparison
from graphkit.microdata.utility.correlations import CorrelationChange as CorrelationChange
from graphkit.microdata.utility.correlations import correlation_change as correlation_change
from graphkit.microdata.utility.counting import CountQueries as CountQueries
from graphkit.microdata.utility.counting import count_queries as count_queries
from graphkit.microdata.utility.distributions import kolmogorov_distances as kolmogorov_distances
from graphkit.microdata.utility.distributions import transport_distances as transport_distances
from graphkit.microdata.utility.eigenvalues import eigenvalue_change as eigenvalue_change
from graphkit.microdata.utility.histograms import Histogram as Histogram
from graphkit.microdata.utility.histograms import histogram as histogram
from graphkit.microdata.utility.il1s import absolute_loss as absolute_loss
from graphkit.microdata.utility.interval_disclosure import IntervalDisclosure as IntervalDisclosure
from graphkit.microdata.utility.interval_disclosure import rank_disclosure as rank_disclosure
from graphkit.microdata.utility.interval_disclosure import spread_disclosure as spread_disclosure
from graphkit.microdata.utility.linkage import Linkage as Linkage
from graphkit.microdata.utility.linkage import record_linkage as record_linkage
from graphkit.microdata.utility.moments import mean_shifts as mean_shifts
from graphkit.microdata.utility.moments import variance_ratios as variance_ratios
from graphkit.microdata.utility.regressions import RegressionChange as RegressionChange
from graphkit.microdata.utility.regressions import regression_changes as regression_changes
from graphkit.microdata.utility.squared_loss import information_loss as information_loss
from graphkit.microdata.utility.uniques import unique_share as unique_share
