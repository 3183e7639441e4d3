"""The longer queries of the reading half."""

from __future__ import annotations

from typing import Any

from stead.store.sqlite.rows import marks
from stead.store.values import Reader

CHAIN = """
WITH RECURSIVE chain (record) AS (
    VALUES (?)
    UNION SELECT v.superseded_by FROM chain AS c JOIN revisions AS v ON v.record = c.record
        WHERE v.superseded_by IS NOT NULL
    UNION SELECT v.record FROM chain AS c JOIN revisions AS v ON v.superseded_by = c.record
    UNION SELECT e.target FROM chain AS c JOIN edges AS e ON e.record = c.record AND e.kind = 'corrects'
    UNION SELECT e.record FROM chain AS c JOIN edges AS e ON e.target = c.record AND e.kind = 'corrects'
)
SELECT chain.record FROM chain JOIN records ON records.n = chain.record
WHERE records.subject = ? AND records.erasure IS NULL ORDER BY 1
"""

NAMED_SLOT = "SELECT 1 FROM slots AS s WHERE s.n = v.slot AND NOT (s.attribute >= 'text:' AND s.attribute < 'text;')"
"""A slot that a caller named; what begins with ``text:`` was read in a claim's own words."""
SLOTS_LIKE = (
    "SELECT DISTINCT b.n, b.entity, b.attribute, b.object, b.scope, b.version FROM slots AS a CROSS JOIN slots AS b"
    " ON b.subject = a.subject AND b.attribute = a.attribute AND b.entity = a.entity AND b.object = a.object"
    " AND b.scope IN ({}) WHERE a.n IN ({}) AND +a.subject = ? ORDER BY b.n"
)
PLACED = (
    "SELECT DISTINCT b.n, b.conversation, b.position, b.tx, b.scope, b.purpose, b.audience, b.tier"
    " FROM episodes AS a CROSS JOIN episodes AS b ON b.subject = a.subject AND b.conversation = a.conversation"
    " AND b.position BETWEEN a.position - 2 AND a.position + 2 AND a.erasure IS NULL AND b.erasure IS NULL"
)
POSTINGS = {
    "claims": "SELECT d.n, d.tokens FROM claims_postings AS p JOIN revisions AS d ON d.n = p.doc"
    " WHERE p.term = ? AND d.tx_from <= ?",
    "episodes": "SELECT d.n, d.tokens FROM episodes_postings AS p JOIN episodes AS d ON d.n = p.doc AND d.erasure IS NULL"
    " WHERE p.term = ? AND d.tx <= ?",
}
TOTALS = {
    "claims": "SELECT claims, claim_tokens FROM subjects WHERE n = ?",
    "episodes": "SELECT episodes, episode_tokens FROM subjects WHERE n = ?",
}
TOTALS_THEN = {
    "claims": "SELECT count(*), coalesce(sum(tokens), 0) FROM revisions WHERE subject = ? AND text_n = n AND tx_from <= ?",
    "episodes": "SELECT count(*), coalesce(sum(tokens), 0) FROM episodes WHERE subject = ? AND tx <= ?",
}
LAST_ITEM = {
    "claims": "SELECT coalesce(max(n), 0) FROM revisions WHERE subject = ? AND tx_from <= ?",
    "episodes": "SELECT coalesce(max(n), 0) FROM episodes WHERE subject = ? AND tx <= ?",
}
WITHOUT_VECTOR = "LEFT JOIN vectors AS x ON x.subject = d.subject AND x.store = '{}' AND x.version = ? AND x.item = d.n"
BACKLOG = {
    "claims": f"SELECT d.subject, d.n, d.claim FROM revisions AS d {WITHOUT_VECTOR.format('claims')}"
    " JOIN records AS r ON r.n = d.record AND r.erasure IS NULL WHERE d.text_n = d.n AND x.n IS NULL ORDER BY d.n LIMIT ?",
    "episodes": "SELECT d.subject, d.n, d.speaker || ': ' || d.text"
    f" FROM episodes AS d {WITHOUT_VECTOR.format('episodes')} WHERE d.erasure IS NULL AND x.n IS NULL ORDER BY d.n LIMIT ?",
}


def shown_to(reader: Reader) -> tuple[str, list[Any]]:
    """Return the conditions on expiry, tier, audience and purpose."""
    named = sorted(reader.audiences)
    default = " OR v.audience IS NULL" if reader.default in reader.audiences else ""
    where = " AND (v.expires_at IS NULL OR v.expires_at > ?)" + ("" if reader.include_cold else " AND v.tier = 'hot'")
    where += f" AND (EXISTS (SELECT 1 FROM json_each(v.audience) WHERE value IN ({marks(named)})){default})"
    where += " AND (v.purpose IS NULL OR EXISTS (SELECT 1 FROM json_each(v.purpose) WHERE value = ?))"
    for _ in reader.denied:
        where += " AND (v.sensitivity IS NULL OR instr('+' || v.sensitivity || '+', ?) = 0)"
    return where, [reader.clock, *named, reader.purpose, *(f"+{name}+" for name in sorted(reader.denied))]
