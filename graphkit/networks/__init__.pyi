"""What the package offers: each name, and the module that it is imported from when it is first used."""

from graphkit.networks.attackers.knowledge import KNOWLEDGE as KNOWLEDGE
from graphkit.networks.attackers.knowledge import structural_risk as structural_risk
from graphkit.networks.constraints import Constraints as Constraints
from graphkit.networks.driver import DEFAULT_METHOD as DEFAULT_METHOD
from graphkit.networks.driver import anonymize as anonymize
from graphkit.networks.driver import lower_bound as lower_bound
from graphkit.networks.graphs.graph import SimpleGraph as SimpleGraph
from graphkit.networks.graphs.graph_view import GraphView as GraphView
from graphkit.networks.graphs.interchange import vertex_names as vertex_names
from graphkit.networks.methods.registry import METHODS as METHODS
from graphkit.networks.releasing.released import ReleasedNetwork as ReleasedNetwork
from graphkit.networks.releasing.released import ReleaseKey as ReleaseKey
from graphkit.networks.releasing.releasing import release as release
from graphkit.networks.result import Anonymization as Anonymization
from graphkit.networks.risk.candidates import CandidateRisk as CandidateRisk
from graphkit.networks.risk.degree_risk import DegreeRisk as DegreeRisk
from graphkit.networks.risk.degree_risk import audit as audit
from graphkit.networks.risk.degree_risk import degree_risk as degree_risk
from graphkit.networks.risk.degree_risk import is_k_anonymous as is_k_anonymous
from graphkit.networks.variants.constrained import anonymize_under as anonymize_under
from graphkit.networks.variants.result import ConstrainedAnonymization as ConstrainedAnonymization
from graphkit.networks.verify import DegreeClaim as DegreeClaim
from graphkit.networks.verify import Terms as Terms
from graphkit.networks.verify import verify_release as verify_release
