"""What the package offers: each name, and the module that it is imported from when it is first used."""

from graphkit.microdata.microaggregation.driver import DEFAULT_METHOD as DEFAULT_METHOD
from graphkit.microdata.microaggregation.driver import microaggregate as microaggregate
from graphkit.microdata.microaggregation.registry import METHODS as METHODS
from graphkit.microdata.microaggregation.result import Microaggregation as Microaggregation
from graphkit.microdata.microaggregation.scaling import Preparation as Preparation
from graphkit.microdata.risk.classes import ClassRisk as ClassRisk
from graphkit.microdata.risk.classes import equivalence_classes as equivalence_classes
from graphkit.microdata.risk.closeness import ClosenessRisk as ClosenessRisk
from graphkit.microdata.risk.closeness import t_closeness as t_closeness
from graphkit.microdata.risk.coded import CodedRecords as CodedRecords
from graphkit.microdata.risk.coded import code_records as code_records
from graphkit.microdata.risk.diversity import DiversityRisk as DiversityRisk
from graphkit.microdata.risk.diversity import l_diversity as l_diversity
from graphkit.microdata.risk.households import household_risk as household_risk
from graphkit.microdata.risk.individual import WeightedRisk as WeightedRisk
from graphkit.microdata.risk.individual import individual_risk as individual_risk
from graphkit.microdata.risk.individual import weighted_risk as weighted_risk
from graphkit.microdata.risk.relation import code_relation as code_relation
from graphkit.microdata.risk.sensitive_counts import sensitive_counts as sensitive_counts
from graphkit.microdata.risk.special_uniques import SpecialUniqueRisk as SpecialUniqueRisk
from graphkit.microdata.risk.special_uniques import special_uniques as special_uniques
