"""Words of time across a daylight-saving change, in four zones (R9): 200 cases.

Every expectation was reasoned on the wall clock and turned into UTC with the offsets that stand above each group, by arithmetic
that knows neither zoneinfo nor this package, and with R9's rules: a wall time in a gap moves forward by the gap (it keeps the offset from before); in a fold a start takes the earlier
reading and an end the later; days are days of the wall clock; hours are exact. A moment is the minute that is named.
No case was taken from what the code returns.
"""

from __future__ import annotations

from datetime import datetime

import pytest

from stead.extract.when import find, resolve
from stead.model.period import Instant, from_datetime, to_datetime

# zone, when it was said (UTC): words | start | end, both in UTC; - is an open end
TABLE = """
# 29 March 2026, 02:00 to 03:00 is skipped at 01:00Z: +01:00 before, +02:00 after
@ Europe/Berlin 2026-03-26T09:00Z
Sunday | 2026-03-28T23:00Z | 2026-03-29T22:00Z
the weekend | 2026-03-27T23:00Z | 2026-03-29T22:00Z
this week | 2026-03-22T23:00Z | 2026-03-29T22:00Z
Saturday night | 2026-03-28T21:00Z | 2026-03-29T04:00Z
Sunday morning | 2026-03-29T04:00Z | 2026-03-29T10:00Z
Friday through Sunday | 2026-03-26T23:00Z | 2026-03-29T22:00Z
from Saturday to Monday | 2026-03-27T23:00Z | 2026-03-30T22:00Z
for two weeks | 2026-03-26T09:00Z | 2026-04-09T08:00Z
for 3 days | 2026-03-26T09:00Z | 2026-03-29T08:00Z
for 72 hours | 2026-03-26T09:00Z | 2026-03-29T09:00Z
in 4 days | 2026-03-29T22:00Z | 2026-03-30T22:00Z
in 72 hours | 2026-03-29T09:00Z | 2026-03-29T09:01Z
until Monday | - | 2026-03-29T22:00Z
until the end of the month | - | 2026-03-31T22:00Z
Sunday at 2:30am | 2026-03-29T01:30Z | 2026-03-29T01:31Z
Sunday from 1am to 4am | 2026-03-29T00:00Z | 2026-03-29T02:00Z
since Monday | 2026-03-22T23:00Z | -
next Sunday | 2026-04-04T22:00Z | 2026-04-05T22:00Z
Sunday evening | 2026-03-29T16:00Z | 2026-03-29T20:00Z
by Sunday | - | 2026-03-29T22:00Z
before Sunday | - | 2026-03-28T23:00Z
after Saturday | 2026-03-28T23:00Z | -
tomorrow | 2026-03-26T23:00Z | 2026-03-27T23:00Z
a week from Sunday | 2026-04-04T22:00Z | 2026-04-05T22:00Z
the day after tomorrow | 2026-03-27T23:00Z | 2026-03-28T23:00Z
# 25 October 2026, 02:00 to 03:00 comes twice: +02:00 until 01:00Z, +01:00 after
@ Europe/Berlin 2026-10-22T08:00Z
Sunday | 2026-10-24T22:00Z | 2026-10-25T23:00Z
the weekend | 2026-10-23T22:00Z | 2026-10-25T23:00Z
this week | 2026-10-18T22:00Z | 2026-10-25T23:00Z
next week | 2026-10-25T23:00Z | 2026-11-01T23:00Z
Sunday at 2:30am | 2026-10-25T00:30Z | 2026-10-25T00:31Z
Sunday from 2:15am to 2:45am | 2026-10-25T00:15Z | 2026-10-25T01:45Z
until Sunday at 2:30am | - | 2026-10-25T01:30Z
before 2:30am on Sunday | - | 2026-10-25T01:30Z
after 2:30am on Sunday | 2026-10-25T00:30Z | -
Sunday from 1am to 4am | 2026-10-24T23:00Z | 2026-10-25T03:00Z
for 4 days | 2026-10-22T08:00Z | 2026-10-26T09:00Z
for 96 hours | 2026-10-22T08:00Z | 2026-10-26T08:00Z
in 96 hours | 2026-10-26T08:00Z | 2026-10-26T08:01Z
for a month | 2026-10-22T08:00Z | 2026-11-22T09:00Z
this month | 2026-09-30T22:00Z | 2026-10-31T23:00Z
Sunday afternoon | 2026-10-25T11:00Z | 2026-10-25T17:00Z
Sunday night | 2026-10-25T21:00Z | 2026-10-26T05:00Z
Friday night | 2026-10-23T20:00Z | 2026-10-24T04:00Z
Friday through Sunday | 2026-10-22T22:00Z | 2026-10-25T23:00Z
by Sunday | - | 2026-10-25T23:00Z
since yesterday | 2026-10-20T22:00Z | -
until Monday | - | 2026-10-25T23:00Z
until the end of the year | - | 2026-12-31T23:00Z
in two weeks | 2026-11-04T23:00Z | 2026-11-05T23:00Z
next weekend | 2026-10-30T23:00Z | 2026-11-01T23:00Z
# 8 March 2026, 02:00 to 03:00 is skipped at 07:00Z: -05:00 before, -04:00 after
@ America/New_York 2026-03-05T15:00Z
Sunday | 2026-03-08T05:00Z | 2026-03-09T04:00Z
the weekend | 2026-03-07T05:00Z | 2026-03-09T04:00Z
this week | 2026-03-02T05:00Z | 2026-03-09T04:00Z
Saturday night | 2026-03-08T03:00Z | 2026-03-08T10:00Z
Sunday morning | 2026-03-08T10:00Z | 2026-03-08T16:00Z
Friday through Sunday | 2026-03-06T05:00Z | 2026-03-09T04:00Z
from Saturday to Monday | 2026-03-07T05:00Z | 2026-03-10T04:00Z
for two weeks | 2026-03-05T15:00Z | 2026-03-19T14:00Z
for 3 days | 2026-03-05T15:00Z | 2026-03-08T14:00Z
for 72 hours | 2026-03-05T15:00Z | 2026-03-08T15:00Z
in 4 days | 2026-03-09T04:00Z | 2026-03-10T04:00Z
in 72 hours | 2026-03-08T15:00Z | 2026-03-08T15:01Z
until Monday | - | 2026-03-09T04:00Z
until the end of the month | - | 2026-04-01T04:00Z
Sunday at 2:30am | 2026-03-08T07:30Z | 2026-03-08T07:31Z
Sunday from 1am to 4am | 2026-03-08T06:00Z | 2026-03-08T08:00Z
since Monday | 2026-03-02T05:00Z | -
next Sunday | 2026-03-15T04:00Z | 2026-03-16T04:00Z
Sunday evening | 2026-03-08T22:00Z | 2026-03-09T02:00Z
by Sunday | - | 2026-03-09T04:00Z
before Sunday | - | 2026-03-08T05:00Z
after Saturday | 2026-03-08T05:00Z | -
tomorrow | 2026-03-06T05:00Z | 2026-03-07T05:00Z
a week from Sunday | 2026-03-15T04:00Z | 2026-03-16T04:00Z
the day after tomorrow | 2026-03-07T05:00Z | 2026-03-08T05:00Z
# 1 November 2026, 01:00 to 02:00 comes twice: -04:00 until 06:00Z, -05:00 after
@ America/New_York 2026-10-29T14:00Z
Sunday | 2026-11-01T04:00Z | 2026-11-02T05:00Z
the weekend | 2026-10-31T04:00Z | 2026-11-02T05:00Z
this week | 2026-10-26T04:00Z | 2026-11-02T05:00Z
next week | 2026-11-02T05:00Z | 2026-11-09T05:00Z
Sunday at 1:30am | 2026-11-01T05:30Z | 2026-11-01T05:31Z
Sunday from 1:15am to 1:45am | 2026-11-01T05:15Z | 2026-11-01T06:45Z
until Sunday at 1:30am | - | 2026-11-01T06:30Z
before 1:30am on Sunday | - | 2026-11-01T06:30Z
after 1:30am on Sunday | 2026-11-01T05:30Z | -
Sunday from 1am to 4am | 2026-11-01T05:00Z | 2026-11-01T09:00Z
for 4 days | 2026-10-29T14:00Z | 2026-11-02T15:00Z
for 96 hours | 2026-10-29T14:00Z | 2026-11-02T14:00Z
in 96 hours | 2026-11-02T14:00Z | 2026-11-02T14:01Z
for a month | 2026-10-29T14:00Z | 2026-11-29T15:00Z
this month | 2026-10-01T04:00Z | 2026-11-01T04:00Z
Sunday afternoon | 2026-11-01T17:00Z | 2026-11-01T23:00Z
Sunday night | 2026-11-02T03:00Z | 2026-11-02T11:00Z
Friday night | 2026-10-31T02:00Z | 2026-10-31T10:00Z
Friday through Sunday | 2026-10-30T04:00Z | 2026-11-02T05:00Z
by Sunday | - | 2026-11-02T05:00Z
since yesterday | 2026-10-28T04:00Z | -
until Monday | - | 2026-11-02T05:00Z
until the end of the year | - | 2027-01-01T05:00Z
in two weeks | 2026-11-12T05:00Z | 2026-11-13T05:00Z
next weekend | 2026-11-07T05:00Z | 2026-11-09T05:00Z
# 4 October 2026, 02:00 to 02:30 is skipped at 15:30Z of the 3rd: +10:30 before, +11:00 after
@ Australia/Lord_Howe 2026-09-30T23:30Z
Sunday | 2026-10-03T13:30Z | 2026-10-04T13:00Z
the weekend | 2026-10-02T13:30Z | 2026-10-04T13:00Z
this week | 2026-09-27T13:30Z | 2026-10-04T13:00Z
Saturday night | 2026-10-03T11:30Z | 2026-10-03T19:00Z
Sunday morning | 2026-10-03T19:00Z | 2026-10-04T01:00Z
Friday through Sunday | 2026-10-01T13:30Z | 2026-10-04T13:00Z
from Saturday to Monday | 2026-10-02T13:30Z | 2026-10-05T13:00Z
for two weeks | 2026-09-30T23:30Z | 2026-10-14T23:00Z
for 3 days | 2026-09-30T23:30Z | 2026-10-03T23:00Z
for 72 hours | 2026-09-30T23:30Z | 2026-10-03T23:30Z
in 4 days | 2026-10-04T13:00Z | 2026-10-05T13:00Z
in 72 hours | 2026-10-03T23:30Z | 2026-10-03T23:31Z
until Monday | - | 2026-10-04T13:00Z
until the end of the month | - | 2026-10-31T13:00Z
Sunday at 2:15am | 2026-10-03T15:45Z | 2026-10-03T15:46Z
Sunday from 1am to 4am | 2026-10-03T14:30Z | 2026-10-03T17:00Z
since Monday | 2026-09-27T13:30Z | -
next Sunday | 2026-10-10T13:00Z | 2026-10-11T13:00Z
Sunday evening | 2026-10-04T07:00Z | 2026-10-04T11:00Z
by Sunday | - | 2026-10-04T13:00Z
before Sunday | - | 2026-10-03T13:30Z
after Saturday | 2026-10-03T13:30Z | -
tomorrow | 2026-10-01T13:30Z | 2026-10-02T13:30Z
a week from Sunday | 2026-10-10T13:00Z | 2026-10-11T13:00Z
the day after tomorrow | 2026-10-02T13:30Z | 2026-10-03T13:30Z
# 5 April 2026, 01:30 to 02:00 comes twice: +11:00 until 15:00Z of the 4th, +10:30 after
@ Australia/Lord_Howe 2026-04-01T23:00Z
Sunday | 2026-04-04T13:00Z | 2026-04-05T13:30Z
the weekend | 2026-04-03T13:00Z | 2026-04-05T13:30Z
this week | 2026-03-29T13:00Z | 2026-04-05T13:30Z
next week | 2026-04-05T13:30Z | 2026-04-12T13:30Z
Sunday at 1:45am | 2026-04-04T14:45Z | 2026-04-04T14:46Z
Sunday from 1:35am to 1:50am | 2026-04-04T14:35Z | 2026-04-04T15:20Z
until Sunday at 1:45am | - | 2026-04-04T15:15Z
before 1:45am on Sunday | - | 2026-04-04T15:15Z
after 1:45am on Sunday | 2026-04-04T14:45Z | -
Sunday from 1am to 4am | 2026-04-04T14:00Z | 2026-04-04T17:30Z
for 4 days | 2026-04-01T23:00Z | 2026-04-05T23:30Z
for 96 hours | 2026-04-01T23:00Z | 2026-04-05T23:00Z
in 96 hours | 2026-04-05T23:00Z | 2026-04-05T23:01Z
for a month | 2026-04-01T23:00Z | 2026-05-01T23:30Z
this month | 2026-03-31T13:00Z | 2026-04-30T13:30Z
Sunday afternoon | 2026-04-05T01:30Z | 2026-04-05T07:30Z
Sunday night | 2026-04-05T11:30Z | 2026-04-05T19:30Z
Friday night | 2026-04-03T11:00Z | 2026-04-03T19:00Z
Friday through Sunday | 2026-04-02T13:00Z | 2026-04-05T13:30Z
by Sunday | - | 2026-04-05T13:30Z
since yesterday | 2026-03-31T13:00Z | -
until Monday | - | 2026-04-05T13:30Z
until the end of the year | - | 2026-12-31T13:00Z
in two weeks | 2026-04-15T13:30Z | 2026-04-16T13:30Z
next weekend | 2026-04-10T13:30Z | 2026-04-12T13:30Z
# 4 November 2018, 00:00 to 01:00 is skipped at 03:00Z: -03:00 before, -02:00 after; the day begins at 01:00
@ America/Sao_Paulo 2018-11-01T13:00Z
Sunday | 2018-11-04T03:00Z | 2018-11-05T02:00Z
the weekend | 2018-11-03T03:00Z | 2018-11-05T02:00Z
this week | 2018-10-29T03:00Z | 2018-11-05T02:00Z
Saturday night | 2018-11-04T01:00Z | 2018-11-04T08:00Z
Sunday morning | 2018-11-04T08:00Z | 2018-11-04T14:00Z
Friday through Sunday | 2018-11-02T03:00Z | 2018-11-05T02:00Z
from Saturday to Monday | 2018-11-03T03:00Z | 2018-11-06T02:00Z
for two weeks | 2018-11-01T13:00Z | 2018-11-15T12:00Z
for 3 days | 2018-11-01T13:00Z | 2018-11-04T12:00Z
for 72 hours | 2018-11-01T13:00Z | 2018-11-04T13:00Z
in 4 days | 2018-11-05T02:00Z | 2018-11-06T02:00Z
in 72 hours | 2018-11-04T13:00Z | 2018-11-04T13:01Z
until Monday | - | 2018-11-05T02:00Z
until the end of the month | - | 2018-12-01T02:00Z
Sunday at 12:30am | 2018-11-04T03:30Z | 2018-11-04T03:31Z
Sunday from 12am to 4am | 2018-11-04T03:00Z | 2018-11-04T06:00Z
since Monday | 2018-10-29T03:00Z | -
next Sunday | 2018-11-11T02:00Z | 2018-11-12T02:00Z
Sunday evening | 2018-11-04T20:00Z | 2018-11-05T00:00Z
by Sunday | - | 2018-11-05T02:00Z
before Sunday | - | 2018-11-04T03:00Z
after Saturday | 2018-11-04T03:00Z | -
tomorrow | 2018-11-02T03:00Z | 2018-11-03T03:00Z
a week from Sunday | 2018-11-11T02:00Z | 2018-11-12T02:00Z
the day after tomorrow | 2018-11-03T03:00Z | 2018-11-04T03:00Z
# 16 February 2019, 23:00 to 24:00 comes twice: -02:00 until 02:00Z of the 17th, -03:00 after
@ America/Sao_Paulo 2019-02-14T12:00Z
Saturday | 2019-02-16T02:00Z | 2019-02-17T03:00Z
the weekend | 2019-02-16T02:00Z | 2019-02-18T03:00Z
this week | 2019-02-11T02:00Z | 2019-02-18T03:00Z
next week | 2019-02-18T03:00Z | 2019-02-25T03:00Z
Saturday at 11:30pm | 2019-02-17T01:30Z | 2019-02-17T01:31Z
Saturday from 11:15pm to 11:45pm | 2019-02-17T01:15Z | 2019-02-17T02:45Z
until Saturday at 11:30pm | - | 2019-02-17T02:30Z
before 11:30pm on Saturday | - | 2019-02-17T02:30Z
after 11:30pm on Saturday | 2019-02-17T01:30Z | -
Saturday from 10pm to 11:30pm | 2019-02-17T00:00Z | 2019-02-17T02:30Z
for 4 days | 2019-02-14T12:00Z | 2019-02-18T13:00Z
for 96 hours | 2019-02-14T12:00Z | 2019-02-18T12:00Z
in 96 hours | 2019-02-18T12:00Z | 2019-02-18T12:01Z
for a month | 2019-02-14T12:00Z | 2019-03-14T13:00Z
this month | 2019-02-01T02:00Z | 2019-03-01T03:00Z
Saturday afternoon | 2019-02-16T14:00Z | 2019-02-16T20:00Z
Saturday night | 2019-02-17T00:00Z | 2019-02-17T09:00Z
Friday night | 2019-02-16T00:00Z | 2019-02-16T08:00Z
Friday through Saturday | 2019-02-15T02:00Z | 2019-02-17T03:00Z
by Saturday | - | 2019-02-17T03:00Z
since yesterday | 2019-02-13T02:00Z | -
until Monday | - | 2019-02-18T03:00Z
until the end of the year | - | 2020-01-01T03:00Z
in two weeks | 2019-02-28T03:00Z | 2019-03-01T03:00Z
next weekend | 2019-02-23T03:00Z | 2019-02-25T03:00Z
"""


def cases() -> list[tuple[str, str, str, str, str]]:
    rows, zone, said = [], "", ""
    for line in TABLE.strip().splitlines():
        if line.startswith("@"):
            _, zone, said = line.split()
        elif not line.startswith("#"):
            words, start, end = line.split(" | ")
            rows.append((zone, said, words, start, end))
    return rows


CASES = cases()


def instant(text: str) -> Instant:
    return from_datetime(datetime.fromisoformat(text))


def spelled(moment: Instant | None) -> str:
    at = None if moment is None else to_datetime(moment)
    return "-" if at is None else f"{at:%Y-%m-%dT%H:%MZ}"


def test_there_are_two_hundred_cases_over_four_zones() -> None:
    assert len(CASES) == len({case[:3] for case in CASES}) == 200
    assert len({zone for zone, *_ in CASES}) == 4


@pytest.mark.parametrize(("zone", "said", "words", "start", "end"), CASES, ids=lambda text: text)
def test_r9_words_of_time_across_a_change(zone: str, said: str, words: str, start: str, end: str) -> None:
    """R9: alone and within a sentence."""
    alone = resolve(words, said=instant(said), zone=zone)
    assert alone is not None
    assert (spelled(alone.start), spelled(alone.end)) == (start, end)
    text = f"I am busy {words}, sorry."
    (found,) = find(text, said=instant(said), zone=zone)
    assert (found.text, spelled(found.start), spelled(found.end)) == (words, start, end)
    assert text[slice(*found.span)] == words


def test_r9_days_have_23_24_and_25_hours() -> None:
    """R9: and on Lord Howe Island 23.5 and 24.5."""
    hours = {}
    for zone, said, words, *_ in CASES:
        if words in {"Sunday", "Saturday"}:
            day = resolve(words, said=instant(said), zone=zone)
            assert day is not None
            assert day.start is not None
            assert day.end is not None
            hours[zone, said[:4], said[5:7]] = (day.end - day.start) / 3_600_000_000
    assert sorted(hours.values()) == [23, 23, 23, 23.5, 24.5, 25, 25, 25]
