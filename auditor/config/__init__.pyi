"""What the package offers: each name, and the module that it is imported from when it is first used."""

from auditor.config.addresses import GraphAddress as GraphAddress
from auditor.config.addresses import graph_address as graph_address
from auditor.config.addresses import is_graph_address as is_graph_address
from auditor.config.addresses import is_meant_as_graph as is_meant_as_graph
from auditor.config.loading import SourcedSettings as SourcedSettings
from auditor.config.loading import load_settings as load_settings
from auditor.config.loading import load_sourced_settings as load_sourced_settings
from auditor.config.log_in import GraphSettings as GraphSettings
from auditor.config.sections import EdgeTableSettings as EdgeTableSettings
from auditor.config.sections import LogFormat as LogFormat
from auditor.config.sections import LogLevel as LogLevel
from auditor.config.sections import LogSettings as LogSettings
from auditor.config.sections import RetentionSettings as RetentionSettings
from auditor.config.sections import SmtpSettings as SmtpSettings
from auditor.config.settings import Settings as Settings
from auditor.config.spark import SparkSettings as SparkSettings
from auditor.config.store import LOCAL as LOCAL
from auditor.config.store import StoreSettings as StoreSettings
