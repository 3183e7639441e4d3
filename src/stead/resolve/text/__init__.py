"""What two claims without a slot do to each other: read from their own words, without a model (R21, R22, R24)."""

from stead.resolve.text.compare import compare
from stead.resolve.text.frame import Finding, Frame, Kind, Meaning
from stead.resolve.text.meaning import meaning
from stead.resolve.text.reading import read
from stead.resolve.text.values import canonical

__all__ = ["Finding", "Frame", "Kind", "Meaning", "canonical", "compare", "meaning", "read"]
