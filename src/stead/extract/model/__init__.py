"""Extraction by a model (extra ``llm``). Nothing here is imported, and nothing is sent, unless a model is configured."""

from __future__ import annotations

from stead.extract.model.extractor import ModelAnswer, ModelExtractor
from stead.extract.model.prompt import ModelTurn

__all__ = ["ModelAnswer", "ModelExtractor", "ModelTurn"]
