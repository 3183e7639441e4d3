"""Words of time resolve against the turn's own time, in the speaker's zone and calendar (R9)."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stead.errors import InvalidArgument
from stead.extract.when import KINDS, When, find, resolve
from stead.model.period import FOREVER, Instant, from_datetime, to_datetime
from stead.model.zone import instant

BERLIN = "Europe/Berlin"
SAID = instant("2026-03-04T09:30", zone_name=BERLIN)  # a Wednesday
PAGE = (Path(__file__).parent.parent / "docs/reference/words-of-time.md").read_text("utf-8")
DAY = 86_400_000_000


def wall(moment: Instant | None, zone: str = BERLIN) -> str:
    """Spell an instant in wall time; - is an open end."""
    at = None if moment is None else to_datetime(moment)
    return "-" if at is None else f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"


def one(words: str, said: Instant = SAID, zone: str = BERLIN) -> When:
    found = resolve(words, said=said, zone=zone)
    assert found is not None, words
    return found


def ends(words: str, said: str = "2026-03-04T09:30") -> tuple[str, str]:
    found = one(words, instant(said, zone_name=BERLIN))
    return wall(found.start), wall(found.end)


def texts(text: str) -> list[str]:
    return [when.text for when in find(text, said=SAID, zone=BERLIN)]


def table(head: str) -> list[list[str]]:
    """Return the rows of the page's table with that head."""
    rows = PAGE.split(f"| {head} |\n", 1)[1].split("\n\n", 1)[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


# --- the page -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "start", "end"), table("words | start | end"))
def test_r9_the_page_says_what_the_code_does(words: str, start: str, end: str) -> None:
    found = one(words)
    assert (wall(found.start), wall(found.end)) == (start, end)
    assert texts(f"Well, {words}.") == [re.sub(r"^on ", "", words)]


@pytest.mark.parametrize(("words", "rule"), table("words | recurs"))
def test_r9_the_page_says_what_comes_back(words: str, rule: str) -> None:
    found = one(words)
    assert (found.kind, found.recurs) == ("recurring", rule)
    assert texts(f"I run {words}, mostly.") == [words]


def test_the_page_lists_what_is_asked_about() -> None:
    rows = table("words | what comes back")
    for words in (word.strip() for row in rows[:3] for word in row[0].split(",")):
        found = one(words)
        assert not found.resolved
        assert (found.start, found.end) == (None, None)
    for words in ("now", "currently", "twice a week", "three times a day"):
        assert texts(f"I do it {words}, mostly") == []


# --- weekdays and parts of day ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said", "start", "end"),
    [
        ("Friday", "2026-03-06T23:59", "2026-03-06 00:00", "2026-03-07 00:00"),
        ("Friday", "2026-03-07T00:00", "2026-03-13 00:00", "2026-03-14 00:00"),
        ("Friday evening", "2026-03-06T19:00", "2026-03-06 18:00", "2026-03-06 22:00"),
        ("Friday evening", "2026-03-06T22:00", "2026-03-13 18:00", "2026-03-13 22:00"),
        ("Friday night", "2026-03-07T05:00", "2026-03-06 22:00", "2026-03-07 06:00"),
        ("Friday at 5pm", "2026-03-06T18:00", "2026-03-13 17:00", "2026-03-13 17:01"),
        ("Wednesday through Friday", "2026-03-05T12:00", "2026-03-04 00:00", "2026-03-07 00:00"),
        ("Wednesday through Friday", "2026-03-07T12:00", "2026-03-11 00:00", "2026-03-14 00:00"),
        ("Friday to Monday", "2026-03-07T12:00", "2026-03-06 00:00", "2026-03-10 00:00"),
        ("the weekend", "2026-03-08T12:00", "2026-03-07 00:00", "2026-03-09 00:00"),
    ],
)
def test_r9_a_weekday_is_the_first_that_has_not_ended(words: str, said: str, start: str, end: str) -> None:
    assert ends(words, said) == (start, end)


@pytest.mark.parametrize(
    ("part", "hours"),
    [("morning", (6, 12)), ("afternoon", (12, 18)), ("evening", (18, 22)), ("night", (22, 30))],
)
def test_r9_parts_of_day_have_their_hours(part: str, hours: tuple[int, int]) -> None:
    found = one(f"tomorrow {part}", from_datetime(datetime(2026, 6, 1, tzinfo=UTC)), "UTC")
    midnight = from_datetime(datetime(2026, 6, 2, tzinfo=UTC))
    assert found.kind == "date_time_range"
    assert [(end - midnight) // 3_600_000_000 for end in (found.start or 0, found.end or 0)] == list(hours)


# --- months, and the ends of what is named ------------------------------------------------------------------------------


def test_r9_a_month_after_31_january_is_the_last_day_of_february() -> None:
    assert ends("a month from now", "2026-01-31T10:00") == ("2026-02-28 00:00", "2026-03-01 00:00")
    assert ends("for a month", "2024-01-31T10:00") == ("2024-01-31 10:00", "2024-02-29 10:00")
    assert ends("in a year", "2024-02-29T10:00") == ("2025-02-28 00:00", "2025-03-01 00:00")


def test_r9_a_date_without_a_year_is_the_next_that_has_not_ended() -> None:
    assert ends("12 May", "2026-05-12T12:00")[0] == "2026-05-12 00:00"
    assert ends("12 May", "2026-05-13T00:00")[0] == "2027-05-12 00:00"
    assert ends("Feb 29")[0] == "2028-02-29 00:00"
    assert ends("since 12 May")[0] == "2025-05-12 00:00"
    assert ends("last March") == ("2025-03-01 00:00", "2025-04-01 00:00")
    assert ends("January to April 2015") == ("2015-01-01 00:00", "2015-05-01 00:00")


@pytest.mark.parametrize(
    ("sentence", "start"),
    [
        ("I moved to Lisbon in May", "2025-05-01"),
        ("I've moved to Lisbon in May", "2025-05-01"),
        ("We met on 12 December", "2025-12-12"),
        ("I worked there from May to July", "2025-05-01"),
        ("I will move to Lisbon in May", "2026-05-01"),
        ("I'm scheduled to move in May", "2026-05-01"),
        ("I need to move in May", "2026-05-01"),
        ("I lived in Rome. In May I move", "2026-05-01"),
        ("I moved here and want to leave in May", "2026-05-01"),
        ("I was ill on Friday", "2026-03-06"),  # weekdays have a rule of their own
    ],
)
def test_a_past_verb_chooses_the_year_that_was(sentence: str, start: str) -> None:
    (found,) = find(sentence, said=SAID, zone=BERLIN)
    assert wall(found.start)[:10] == start


def test_until_ends_where_a_thing_begins_unless_it_runs() -> None:
    assert ends("until May") == ("-", "2026-05-01 00:00")
    assert ends("until today") == ("-", "2026-03-05 00:00")
    assert ends("until next week") == ("-", "2026-03-09 00:00")
    assert ends("until the beginning of next year") == ("-", "2027-01-01 00:00")
    assert ends("by the end of next week") == ("-", "2026-03-16 00:00")


def test_relations_are_named() -> None:
    for words in ("since March", "until Friday", "by noon", "before Friday", "after 5pm", "for 3 days", "from Monday"):
        assert one(words).relation == words.split()[0]
    assert one("starting Monday").relation == "from"
    assert one("Friday").relation == ""


def test_for_looks_back_after_a_perfect_and_only_measures_after_a_past() -> None:
    said, zone = SAID, BERLIN
    (going,) = find("I've lived here for two years", said=said, zone=zone)
    assert (wall(going.start), going.end, going.relation) == ("2024-03-04 09:30", None, "for")
    (over,) = find("I worked there for two years", said=said, zone=zone)
    assert (over.kind, over.start, over.end, over.duration) == ("duration", None, None, 730 * DAY)
    (ahead,) = find("I am in Rome for two weeks", said=said, zone=zone)
    assert (ahead.start, wall(ahead.end)) == (said, "2026-03-18 09:30")


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("3 days", 259_200), ("two and a half hours", 9_000), ("a fortnight", 1_209_600), ("an hour and a half", 5_400),
        ("half an hour", 1_800), ("1 hour and 30 minutes", 5_400), ("90 min", 5_400), ("a couple of weeks", 1_209_600),
        ("twenty-one days", 1_814_400), ("2.5 hours", 9_000), ("10d", 864_000), ("a year", 31_536_000),
    ],
)  # fmt: skip
def test_lengths(words: str, seconds: int) -> None:
    found = one(words)
    assert (found.kind, found.duration, found.start, found.end) == ("duration", seconds * 1_000_000, None, None)


def test_an_offset_in_the_text_beats_the_zone() -> None:
    """R9."""
    assert one("2026-03-04T12:00Z").start == from_datetime(datetime(2026, 3, 4, 12, tzinfo=UTC))
    assert one("2026-03-04 12:00 +05:30").start == from_datetime(datetime(2026, 3, 4, 6, 30, tzinfo=UTC))
    assert one("2026-03-04T12:00").start == from_datetime(datetime(2026, 3, 4, 11, tzinfo=UTC))
    assert one("5pm UTC").start == from_datetime(datetime(2026, 3, 4, 17, tzinfo=UTC))


def test_what_comes_back_can_have_ends() -> None:
    weekly = one("every Tuesday until June")
    assert (weekly.recurs, weekly.start, wall(weekly.end)) == ("FREQ=WEEKLY;BYDAY=TU", None, "2026-06-01 00:00")
    assert wall(one("every Monday since March").start) == "2026-03-01 00:00"
    assert one("Tuesdays from 4 to 5pm").duration == 3_600_000_000
    assert one("every Tuesday").start is None


MORE = """
second half of 2026 | 2026-07-01 00:00 | 2027-01-01 00:00
the second half of March | 2026-03-16 00:00 | 2026-04-01 00:00
2027-H1 | 2027-01-01 00:00 | 2027-07-01 00:00
next year's first quarter | 2027-01-01 00:00 | 2027-04-01 00:00
the last quarter of 2025 | 2025-10-01 00:00 | 2026-01-01 00:00
summer of 2019 | 2019-06-01 00:00 | 2019-09-01 00:00
this spring | 2026-03-01 00:00 | 2026-06-01 00:00
2026-W10 | 2026-03-02 00:00 | 2026-03-09 00:00
week 12 | 2026-03-16 00:00 | 2026-03-23 00:00
the 21st century | 2000-01-01 00:00 | 2100-01-01 00:00
the early 1990s | 1990-01-01 00:00 | 1995-01-01 00:00
the nineties | 1990-01-01 00:00 | 2000-01-01 00:00
the next 4 business days | 2026-03-05 00:00 | 2026-03-11 00:00
the next two quarters | 2026-04-01 00:00 | 2026-10-01 00:00
the last 24 hours | 2026-03-03 09:30 | 2026-03-04 09:30
the first week of May | 2026-05-04 00:00 | 2026-05-11 00:00
the last week of March | 2026-03-23 00:00 | 2026-03-30 00:00
the first ten days of May | 2026-05-01 00:00 | 2026-05-11 00:00
the third month of 2027 | 2027-03-01 00:00 | 2027-04-01 00:00
the last day of the month | 2026-03-31 00:00 | 2026-04-01 00:00
the second weekend in May | 2026-05-09 00:00 | 2026-05-11 00:00
two Fridays ago | 2026-02-20 00:00 | 2026-02-21 00:00
the week of May 4th | 2026-05-04 00:00 | 2026-05-11 00:00
the week after next | 2026-03-16 00:00 | 2026-03-23 00:00
the year before last | 2024-01-01 00:00 | 2025-01-01 00:00
3 days starting next Monday | 2026-03-09 00:00 | 2026-03-12 00:00
Friday at 5pm for 2 hours | 2026-03-06 17:00 | 2026-03-06 19:00
from 2pm for 2 hours | 2026-03-04 14:00 | 2026-03-04 16:00
the first Monday evening of next month | 2026-04-06 18:00 | 2026-04-06 22:00
Wed Oct 26 15:50 2016 | 2016-10-26 15:50 | 2016-10-26 15:51
October two thousand and five | 2005-10-01 00:00 | 2005-11-01 00:00
nineteen ninety six | 1996-01-01 00:00 | 1997-01-01 00:00
May twenty nine | 2026-05-29 00:00 | 2026-05-30 00:00
2026-aug-01 | 2026-08-01 00:00 | 2026-08-02 00:00
Friday the 13th | 2026-03-13 00:00 | 2026-03-14 00:00
Monday of next week | 2026-03-09 00:00 | 2026-03-10 00:00
next week on Thursday | 2026-03-12 00:00 | 2026-03-13 00:00
this coming Monday | 2026-03-09 00:00 | 2026-03-10 00:00
next Christmas | 2026-12-25 00:00 | 2026-12-26 00:00
last Christmas | 2025-12-25 00:00 | 2025-12-26 00:00
Halloween 2027 | 2027-10-31 00:00 | 2027-11-01 00:00
earlier this year | 2026-01-01 00:00 | 2026-03-04 00:00
within 3 weeks | 2026-03-04 09:30 | 2026-03-25 09:30
the end of Friday | 2026-03-06 23:59 | 2026-03-07 00:00
eod | 2026-03-04 23:59 | 2026-03-05 00:00
the evening of 12 May | 2026-05-12 18:00 | 2026-05-12 22:00
last night | 2026-03-03 18:00 | 2026-03-04 06:00
late afternoon | 2026-03-04 16:00 | 2026-03-04 18:00
between 0730 and 0930 | 2026-03-05 07:30 | 2026-03-05 09:30
from 9 to 5 | 2026-03-04 09:00 | 2026-03-04 17:00
from 11 to 1 tomorrow | 2026-03-05 11:00 | 2026-03-05 13:00
tomorrow evening from 7 to 9 | 2026-03-05 19:00 | 2026-03-05 21:00
from Friday 5pm to Sunday noon | 2026-03-06 17:00 | 2026-03-08 12:00
from 10/25 to 01/25 | 2026-10-25 00:00 | 2027-01-26 00:00
April 27 to the 3rd | 2026-04-27 00:00 | 2026-05-04 00:00
from March to date | 2026-03-01 00:00 | 2026-03-04 09:30
until now | - | 2026-03-04 09:30
3 pm or later on Monday | 2026-03-09 15:00 | -
2018 or later | 2018-01-01 00:00 | -
as of 1 June | 2026-06-01 00:00 | -
at 7 in the evening | 2026-03-04 19:00 | 2026-03-04 19:01
twenty to nine in the evening | 2026-03-04 20:40 | 2026-03-04 20:41
tomorrow at seven twenty-seven | 2026-03-05 07:27 | 2026-03-05 07:28
tonight at 2 | 2026-03-05 02:00 | 2026-03-05 02:01
two days after Christmas | 2026-12-27 00:00 | 2026-12-28 00:00
3 hours before noon | 2026-03-04 09:00 | 2026-03-04 09:01
"""
COMES_BACK = """
every 3 days | FREQ=DAILY;INTERVAL=3
every second Thursday at 14:00 | FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;BYHOUR=14;BYMINUTE=0
every summer | FREQ=YEARLY;BYMONTH=6,7,8
every winter | FREQ=YEARLY;BYMONTH=1,2,12
every May | FREQ=YEARLY;BYMONTH=5
every year on 12 May | FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=12
every Christmas | FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25
every quarter | FREQ=MONTHLY;INTERVAL=3
every weekend | FREQ=WEEKLY;BYDAY=SA,SU
once a week | FREQ=WEEKLY
once every 3 months | FREQ=MONTHLY;INTERVAL=3
biweekly | FREQ=WEEKLY;INTERVAL=2
weekly on Mondays | FREQ=WEEKLY;BYDAY=MO
every week on Tuesday and Friday | FREQ=WEEKLY;BYDAY=TU,FR
every month on the 15th | FREQ=MONTHLY;BYMONTHDAY=15
the 1st and 15th of every month | FREQ=MONTHLY;BYMONTHDAY=1,15
every first Monday of the month | FREQ=MONTHLY;BYDAY=1MO
at 6am every day | FREQ=DAILY;BYHOUR=6;BYMINUTE=0
every Monday to Friday at 9 | FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0
every weekday from 9 to 5 | FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0
every evening at 8 | FREQ=DAILY;BYHOUR=20;BYMINUTE=0
Friday evenings | FREQ=WEEKLY;BYDAY=FR;BYHOUR=18;BYMINUTE=0
in the mornings | FREQ=DAILY;BYHOUR=6;BYMINUTE=0
on weekends | FREQ=WEEKLY;BYDAY=SA,SU
nightly | FREQ=DAILY
"""


def rows(text: str) -> list[list[str]]:
    return [line.split(" | ") for line in text.strip().splitlines()]


@pytest.mark.parametrize(("words", "start", "end"), rows(MORE))
def test_more_that_is_understood(words: str, start: str, end: str) -> None:
    assert ends(words) == (start, end)


@pytest.mark.parametrize(("words", "rule"), rows(COMES_BACK))
def test_more_that_comes_back(words: str, rule: str) -> None:
    assert (one(words).kind, one(words).recurs) == ("recurring", rule)


@pytest.mark.parametrize(
    "words", ["the 32nd", "30 February 2026", "25:00", "2026-13-01", "the fifth of", "week 60", "in years"]
)
def test_what_does_not_exist_is_none(words: str) -> None:
    assert resolve(words, said=SAID, zone=BERLIN) is None


def test_a_length_that_can_not_be_written_is_no_end() -> None:
    (found,) = find("I'm away for 20000 years", said=SAID, zone=BERLIN)
    assert (found.text, found.kind) == ("20000 years", "duration")


# --- precision ----------------------------------------------------------------------------------------------------------

NOTHING = """
May I march on for a second?
We may meet, and I may be late. This may be wrong.
The march on the capital was long; march on!
I have had it for free and sat in the sun.
She will spring to the door and fall down.
I ate at Friday's with Mia.
Good morning! Morning, Mia. Date night was fun. I'm a morning person, not a night owl.
It costs $20 an hour, twice a day, and they are open 24/7.
Version 1.2.3 needs 3/4 of a cup. The ratio is 1/2.
Call 555 1234, room 2019. There were 2000 people who paid 1500 dollars.
I am 30 years old and 100 m tall.
The second time, the first place, my third try, a second opinion.
June is my sister. April said hi. Jan lives in Rome. August is a poet.
The sun is out, we sat down and they wed. Mark the spot.
I like your answer. One of them is at home at all times.
See you later! Talk to you soon.
He scored 10 to 9. We need 5 to 6 people at 20 percent or at 5 euros.
My dog is called Autumn Leaf the second.
This is the last time. At last, the final second.
"""


@pytest.mark.parametrize("sentence", NOTHING.strip().splitlines())
def test_what_merely_looks_like_time_is_none(sentence: str) -> None:
    assert texts(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("I moved to Lisbon in March and may return in May", ["March", "May"]),
        ("Friday's meeting was moved to Monday at 10", ["Friday's", "Monday at 10"]),
        ("Lunch at 5 with Mia, dinner at 8 on Friday", ["at 5", "at 8 on Friday"]),
        ("I'm away from 12 May to 20 May, then from June 1 I work at Apex", ["from 12 May to 20 May", "from June 1"]),
        ("For 3 days I was ill, 2 weeks ago", ["For 3 days", "2 weeks ago"]),
        ("Next week I'm in Rome; the week after next in Oslo.", ["Next week", "the week after next"]),
        ("A letter from last Friday", ["last Friday"]),
        ("It was perfect until we got lost, and I had wanted it for a while", []),
        ("Use dark mode for now, until I say otherwise", ["for now", "until I say otherwise"]),
        ("We camped two weekends ago, and two Fridays ago", ["two weekends ago", "two Fridays ago"]),
        ("No calls before 9 on Mondays", ["before 9", "on Mondays"]),
        ("I\u2019ll call at five o\u2019clock tomorrow", ["at five o\u2019clock tomorrow"]),
    ],
)
def test_what_is_found_in_running_text(sentence: str, expected: list[str]) -> None:
    assert texts(sentence) == expected


def test_found_from_left_to_right_with_their_places() -> None:
    text = "On Friday evening I cook, and next week from Monday to Wednesday I'm away."
    found = find(text, said=SAID, zone=BERLIN)
    assert [text[slice(*when.span)] for when in found] == [when.text for when in found]
    assert [when.span for when in found] == sorted(when.span for when in found)


def test_resolve_takes_the_whole_text_or_nothing() -> None:
    assert resolve("may", said=SAID, zone=BERLIN) is not None
    assert resolve("Friday with Mia", said=SAID, zone=BERLIN) is None
    assert resolve("", said=SAID, zone=BERLIN) is None
    assert resolve("in March.", said=SAID, zone=BERLIN) is not None


def test_what_can_not_be_read_is_refused() -> None:
    with pytest.raises(InvalidArgument):
        find("tomorrow", said=SAID, zone="Europe/Nowhere")
    with pytest.raises(InvalidArgument):
        find("tomorrow", said=FOREVER, zone=BERLIN)


# --- properties ---------------------------------------------------------------------------------------------------------

WORDS = (
    "every each on at in the next last this from to until since by before after for between and a an of two 3 5 17 2026 31 Friday "
    "Monday weekend morning evening night tonight tomorrow today week month year quarter May March Feb 29 30th first end beginning "
    "early late mid day days hours weeks months ago now noon midnight half past quarter 5pm 12:30 2026-03-29 12/05/2026 Q1 summer "
    "winter Christmas soon later - , . through daily Mondays 90s 99999 o'clock am pm"
).split()  # fmt: skip
ZONES = st.sampled_from([BERLIN, "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Kolkata", "UTC"])
MOMENTS = st.datetimes(datetime(1971, 1, 1), datetime(2037, 1, 1)).map(lambda at: from_datetime(at.replace(tzinfo=UTC)))  # noqa: DTZ001


@settings(max_examples=300, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=12), said=MOMENTS, zone=ZONES)
def test_r9_whatever_is_found_is_a_sound_interval(words: list[str], said: Instant, zone: str) -> None:
    text = " ".join(words)
    found = find(text, said=said, zone=zone)
    assert found == find(text, said=said, zone=zone)
    last = 0
    for when in found:
        assert last <= when.span[0] < when.span[1]
        last = when.span[1]
        assert text[slice(*when.span)] == when.text
        assert when.kind in KINDS
        if when.start is not None and when.end is not None:
            assert when.end > when.start
        if when.kind == "duration" or not when.resolved:
            assert (when.start, when.end) == (None, None)


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=80), said=MOMENTS)
def test_no_text_makes_it_fail(text: str, said: Instant) -> None:
    find(text, said=said, zone=BERLIN)
    resolve(text, said=said, zone=BERLIN)


@pytest.mark.parametrize("year", [1, 2, 9998, 9999])
def test_the_ends_of_the_calendar_do_not_make_it_fail(year: int) -> None:
    said = from_datetime(datetime(year, 6, 15, tzinfo=UTC))
    for words in (
        "in 999999 years",
        "last century",
        "10000 months ago",
        "next year",
        "Friday",
        "until 9999",
        "3000 years ago",
    ):
        find(words, said=said, zone="UTC")


# --- cost ---------------------------------------------------------------------------------------------------------------


def test_a_sentence_is_read_fast() -> None:
    """Generous: a tenth of this is usual; the number guards against a grammar that backtracks."""
    text = "On Friday evening I would like to have dinner with my sister and her husband at the new place in town."
    spent = []
    for _ in range(50):
        begun = time.perf_counter()
        find(text, said=SAID, zone=BERLIN)
        spent.append(time.perf_counter() - begun)
    assert statistics.median(spent) < 0.005


def test_importing_it_compiles_nothing() -> None:
    code = "import re\nold, n = re._compiler.compile, []\nre._compiler.compile = lambda *a, **k: n.append(a) or old(*a, **k)\n"
    code += "import stead.extract.when.grammar\nprint(len([a for a in n if 'ago' in str(a[0]) or 'soon' in str(a[0])]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
