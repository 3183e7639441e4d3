"""Local extraction: rules and an ontology, no model, no network."""

from stead.extract.rules.extractor import Extractor, grounded
from stead.extract.rules.patterns import Attribute, compile_says
from stead.extract.rules.template import RELATIONS

__all__ = ["RELATIONS", "Attribute", "Extractor", "compile_says", "grounded"]
