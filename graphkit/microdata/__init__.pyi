"""What the package offers: each name, and the module that it is imported from when it is first used."""

from graphkit.microdata.microaggregation.driver import DEFAULT_METHOD as DEFAULT_METHOD
from graphkit.microdata.microaggregation.driver import microaggregate as microaggregate
from graphkit.microdata.microaggregation.registry import METHODS as METHODS
from graphkit.microdata.microaggregation.result import Microaggregation as Microaggregation
