"""How well a ranked list finds what is relevant, and how sure a mean over questions is. Pure arithmetic."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

MEASURES = (
    "recall@1", "recall@5", "recall@10", "recall@20", "hit@1", "hit@5", "hit@10", "hit@20", "mrr", "ndcg@5",
)  # fmt: skip
"""What `measure` returns, in this order."""
_T95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


def places(order: Sequence[int], relevant: Collection[int]) -> list[int]:
    """Return the ranks, from 1, at which relevant items stand; an item that was not found has none.

    >>> places([7, 3, 9], {9, 7, 4})
    [1, 3]
    """
    return [rank for rank, item in enumerate(order, 1) if item in relevant]


def recall_at(k: int, ranks: Sequence[int], relevant: int) -> float:
    """Return the share of the relevant items that stand among the first k."""
    return sum(rank <= k for rank in ranks) / relevant


def hit_at(k: int, ranks: Sequence[int]) -> float:
    """Return 1 where any relevant item stands among the first k, else 0."""
    return float(any(rank <= k for rank in ranks))


def reciprocal_rank(ranks: Sequence[int]) -> float:
    """Return 1 / rank of the first relevant item, 0 where none was found."""
    return 1 / min(ranks) if ranks else 0.0


def ndcg_at(k: int, ranks: Sequence[int], relevant: int) -> float:
    """Return the gain of the first k, discounted by 1 / log2(rank + 1), as a share of the best possible."""
    gain = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= k)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(k, relevant) + 1))


def measure(order: Sequence[int], relevant: Collection[int]) -> tuple[float, ...]:
    """Return every measure of one ranked list, in the order of `MEASURES`; at least one item is relevant."""
    ranks, count = places(order, relevant), len(relevant)
    recalls = [recall_at(k, ranks, count) for k in (1, 5, 10, 20)]
    hits = [hit_at(k, ranks) for k in (1, 5, 10, 20)]
    return (*recalls, *hits, reciprocal_rank(ranks), ndcg_at(5, ranks, count))


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean with its 95 % interval."""

    mean: float
    low: float | None
    """None where there are fewer than two clusters."""
    high: float | None


def estimate(values: Sequence[float], clusters: Sequence[str]) -> Estimate:
    """Return the mean over questions with a 95 % t interval clustered by conversation.

    Questions about one conversation succeed and fail together, so they don't count as independent. The standard error is
    that of a ratio: with residuals ``e = sum of the cluster - mean * its size``, the variance is
    ``G / (G - 1) * sum(e²) / n²`` for G clusters, and the quantile is that of Student's t with G - 1 degrees of freedom.
    Nothing is drawn at random. A mean of shares may get an interval that reaches past 0 or 1; it isn't cut.

    Parameters
    ----------
    values
        One for each question; at least one.
    clusters
        The conversation of each question.
    """
    count = len(values)
    mean = math.fsum(values) / count
    groups: dict[str, list[float]] = defaultdict(list)
    for value, cluster in zip(values, clusters, strict=True):
        groups[cluster].append(value)
    size = len(groups)
    if size < 2:
        return Estimate(mean=mean, low=None, high=None)
    residuals = [math.fsum(group) - mean * len(group) for group in groups.values()]
    error = math.sqrt(size / (size - 1) * math.fsum(e * e for e in residuals)) / count
    half = _T95[min(size - 1, len(_T95)) - 1] * error
    return Estimate(mean=mean, low=mean - half, high=mean + half)
