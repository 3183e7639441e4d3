"""Words of time, resolved against the turn's own time in the speaker's zone and calendar (R9).

>>> from stead.model.period import iso
>>> from stead.model.zone import instant
>>> said = instant("2026-03-02T09:00", zone_name="Europe/Berlin")
>>> (when,) = find("I'm away Wednesday through Friday", said=said, zone="Europe/Berlin")
>>> when.text, iso(when.start), iso(when.end)
('Wednesday through Friday', '2026-03-03T23:00:00Z', '2026-03-06T23:00:00Z')
"""

from __future__ import annotations

from stead.extract.when.grammar import find, resolve
from stead.extract.when.value import KINDS, When

__all__ = ["KINDS", "When", "find", "resolve"]
