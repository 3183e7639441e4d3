"""The history of a chain as a picture: an SVG that stands alone, without scripts, fonts or links (R28)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size

from stead.surfaces.cli.history import Chain, Link, Rules, downwards, standing
from stead.surfaces.cli.output import clean, moment

if TYPE_CHECKING:
    from stead import Record

_WIDTH: Final = 1240
_LEFT, _LANE, _LANES = 20, 9, 8
"""Where arrows run, and how many beside each other; more share the last one."""
_BARS, _EDGE = 920, 1210
"""Between these the valid time is drawn."""
_TOP, _HEAD, _ROW, _GAP = 92, 46, 18, 16
_CLAIM, _NAME = 78, 24
"""Cells of a claim and of a speaker's name; the whole claim is in the tooltip."""
_PIECES: Final = 2
"""Intervals of a revision that are spelled out; all of the newest ones are drawn."""

_STYLE: Final = """
text { font: 12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1a1f26; }
.claim { font-size: 14px; font-weight: 600; } .soft { fill: #57606c; } .back { fill: #ffffff; }
.card { fill: #f5f6f8; stroke: #c3c9d1; } .axis { stroke: #c3c9d1; stroke-dasharray: 2 4; }
.stated { fill: none; stroke: #7c8694; } .bar { fill: #8b939e; } .active { fill: #0f766e; } .contested { fill: #b45309; }
.arrow { fill: none; stroke: #4b5563; stroke-width: 1.5; } .tip { fill: #4b5563; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e9ee; } .soft { fill: #a3adba; } .back { fill: #14171c; } .card { fill: #1e232a; stroke: #3d4651; }
  .axis { stroke: #3d4651; } .stated { stroke: #8b95a3; } .bar { fill: #6b7583; } .active { fill: #2dd4bf; }
  .contested { fill: #fbbf24; } .arrow { stroke: #a3adba; } .tip { fill: #a3adba; }
}
"""
"""Plain colours first: not every viewer knows variables or what a reader prefers."""


_TIP: Final = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """A record's card: where it begins, and how high it is."""

    link: Link
    top: int
    height: int

    @property
    def middle(self) -> int:
        """Return the height at which arrows meet the card."""
        return self.top + _HEAD // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Axis:
    """Valid time from left to right; what is open runs to the edge."""

    first: datetime | None
    last: datetime | None

    def at(self, when: datetime | None, edge: int) -> float:
        """Return where an instant is drawn; where it is open, that is the given edge."""
        if when is None or self.first is None or self.last is None:
            return edge
        whole = max((self.last - self.first) / timedelta(seconds=1), 1.0)
        share = (when - self.first) / timedelta(seconds=1) / whole
        return _BARS + 40 + share * (_EDGE - _BARS - 80)


def chain_svg(chain: Chain, rules: Rules, title: str) -> str:
    """Return a page of history as an SVG document.

    Parameters
    ----------
    chain
        The records of the page with their revisions.
    rules
        By which rule each revision came about.
    title
        What the picture is called.

    Returns
    -------
    str
        Valid XML in UTF-8. What stands is on top; an arrow leads from each record to what replaced it. Claims are
        shortened, and whole in the tooltips.
    """
    cards = _place([link for link, _ in downwards(chain)])
    axis = _axis([each for link in chain.values() for each in link.revisions])
    height = (cards[-1].top + cards[-1].height if cards else _TOP) + 24
    count = sum(len(link.revisions) for link in chain.values())
    about = f"{len(chain)} record{'s' * (len(chain) != 1)}, {count} revision{'s' * (count != 1)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}"',
        f'  viewBox="0 0 {_WIDTH} {height}" role="img" aria-labelledby="title about">',
        f'<title id="title">{_text(title)}</title>',
        f'<desc id="about">{about}. What stands is on top; an arrow leads from a record to what replaced it.</desc>',
        f"<style>{_STYLE}</style>",
        _TIP,
        f'<rect class="back" width="{_WIDTH}" height="{height}"/>',
        _words(_LEFT, 30, title, "claim"),
        _words(_LEFT, 50, about, "soft"),
        *_scale(axis, height),
    ]
    for card in cards:
        parts += _card(card, axis, rules)
    parts += _arrows(cards)
    return "\n".join([*parts, "</svg>", ""])


def _place(links: Sequence[Link]) -> list[_Placed]:
    cards, top = [], _TOP
    for link in links:
        height = _HEAD + _ROW * len(list(_lines(link, {}))) + 8
        cards.append(_Placed(link=link, top=top, height=height))
        top += height + _GAP
    return cards


def _axis(revisions: Sequence[Record]) -> _Axis:
    ends = [when for each in revisions for span in (each.stated, *each.stands) for when in span if when is not None]
    return _Axis(first=min(ends, default=None), last=max(ends, default=None))


# --- parts of the picture ------------------------------------------------------------------------------------------------


def _scale(axis: _Axis, height: int) -> Iterator[str]:
    yield _words(_BARS, 50, "stated (outline), as it stands (filled)", "soft")
    ends = [(axis.first, "start")] if axis.first == axis.last else [(axis.first, "start"), (axis.last, "end")]
    for when, anchor in ends:
        if when is not None:
            x = axis.at(when, _BARS)
            yield f'<path class="axis" d="M{x:.1f} {_TOP - 14}V{height - 24}"/>'
            yield _words(x, _TOP - 20, when.date().isoformat(), "soft", anchor)


def _card(card: _Placed, axis: _Axis, rules: Rules) -> Iterator[str]:
    newest, left = card.link.newest, _LEFT + _LANE * _LANES
    yield f"<g><title>{_text(newest.claim)}</title>"
    yield (f'<rect class="card" x="{left}" y="{card.top}" width="{_EDGE - left + 10}" height="{card.height}" rx="6"/>')
    yield _words(left + 12, card.top + 20, short(newest.claim, _CLAIM), "claim")
    scope = f"in {short(newest.scope, _NAME)}" if newest.scope else "in every scope"
    told = (newest.id, newest.status.upper(), str(newest.authority), f"by {short(newest.speaker, _NAME)}", scope)
    yield _words(left + 12, card.top + 38, " · ".join(told), "soft")
    yield from _bars(newest, card.top + 16, axis)
    for place, line in enumerate(_lines(card.link, rules)):
        yield _words(left + 12, card.top + _HEAD + 12 + _ROW * place, line)
    yield "</g>"


def _bars(newest: Record, top: int, axis: _Axis) -> Iterator[str]:
    shown = {"active": "bar active", "contested": "bar contested"}.get(str(newest.status), "bar")
    for (start, end), kind, inset in [(newest.stated, "stated", 0), *((span, shown, 3) for span in standing(newest))]:
        x = axis.at(start, _BARS)
        width = max(axis.at(end, _EDGE) - x, 2.0)
        span = f"{moment(start, 'open')} → {moment(end, 'open')}"
        yield (
            f'<rect class="{kind}" x="{x:.1f}" y="{top + inset}" width="{width:.1f}" height="{16 - 2 * inset}" rx="2">'
            f"<title>{kind.removeprefix('bar ').replace('bar', str(newest.status))} {span}</title></rect>"
        )


def _lines(link: Link, rules: Rules) -> Iterator[str]:
    """Return a line for each revision; what changed in it besides the status is on lines of its own."""
    before = None
    for each in link.revisions:
        known = f"known {moment(each.tx_from)} → {moment(each.tx_until, 'now')}"
        rule = rules.get((each.id, each.tx_from))
        said = [known, str(each.status), f"stands {_spans(each)}", *([f"rule {rule}"] if rule else [])]
        yield " · ".join(said)
        if each.superseded_by and (before is None or before.superseded_by != each.superseded_by):
            yield f"      replaced by {each.superseded_by}"
        if before is not None and before.claim != each.claim:
            yield f"      reworded: {short(each.claim, _CLAIM)}"
        if before is not None and before.scope != each.scope:
            yield f"      moved to {short(each.scope, _NAME) or 'every scope'}"
        before = each


def _spans(each: Record) -> str:
    spans = [f"{moment(start, 'open')} → {moment(end, 'open')}" for start, end in standing(each)]
    more = f" and {len(spans) - _PIECES} more" if len(spans) > _PIECES else ""
    return (", ".join(spans[:_PIECES]) or "nowhere") + more


def _arrows(cards: Sequence[_Placed]) -> Iterator[str]:
    """Lead an arrow from each record to what replaced it, in the first lane that is free beside both."""
    by_name, busy = {card.link.name: card for card in cards}, [0] * _LANES
    pairs = [(by_name[card.link.above or ""], card) for card in cards if card.link.above in by_name]
    for above, card in sorted(pairs, key=lambda pair: min(each.middle for each in pair)):
        upper, lower = sorted((above.middle, card.middle))
        lane = next((place for place, until in enumerate(busy) if until <= upper), _LANES - 1)
        busy[lane] = max(busy[lane], lower)
        edge = _LEFT + _LANE * _LANES
        out, into = (card.middle - 5, above.middle + 5) if card.middle > above.middle else (card.middle, above.middle)
        yield f'<path class="arrow" marker-end="url(#tip)" d="M{edge} {out}H{edge - 14 - _LANE * lane}V{into}H{edge - 1}"/>'


# --- text ------------------------------------------------------------------------------------------------------------------


def _words(x: float, y: int, text: str, kind: str = "", anchor: str = "") -> str:
    classes = f' class="{kind}"' if kind else ""
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x:.6g}" y="{y}"{classes}{anchored} xml:space="preserve">{_text(text)}</text>'


def _text(text: str) -> str:
    """Return text as XML carries it: markup escaped, and what XML can't carry spelled out."""
    allowed = "".join(each if ord(each) & 0xFFFE != 0xFFFE else f"\\u{ord(each):04x}" for each in clean(text))
    return escape(allowed)


def short(text: str, cells: int) -> str:
    """Return text in so many cells of a terminal, with an ellipsis for what is left out."""
    text = clean(text)
    return text if cell_len(text) <= cells else set_cell_size(text, cells - 1).rstrip() + "…"
