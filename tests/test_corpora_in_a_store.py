"""The corpora of secrets and hostile texts, sent down every way into a store: nothing of them comes out of it (R15, R48)."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests import scripted_llm as llm
from tests.heard import bytes_of

import stead
from stead import Slot
from stead.clock import StoryClock

FOLDER = Path(__file__).parent / "data" / "guards"
_INVISIBLE = re.compile("[\u200b-\u200f\u2060-\u2064\u00ad\ufeff]")


def entries(name: str) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = yaml.safe_load((FOLDER / name).read_text("utf-8"))
    return read


def secret_lines(each: dict[str, Any]) -> list[str]:
    """Return what may be nowhere: of a key over several lines each line, without what can't be seen."""
    return [line for line in _INVISIBLE.sub("", each["secret"]).splitlines() if len(line) >= 4]


def test_r15_sixty_secrets_are_in_no_byte_log_error_export_or_request(
    tmp_path: Path, clock: StoryClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    secrets = entries("secrets.yaml")
    assert len(secrets) == 60
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    caplog.set_level(logging.DEBUG)
    told: list[str] = []
    with (
        llm.serving(*[llm.claims()] * 20) as script,
        stead.open(tmp_path / "m.db", clock=clock, embedder="none", model=script.model("anthropic")) as store,
    ):
        ana = store.subject("ana", zone="Europe/Berlin")
        for start in range(0, len(secrets), 15):
            with ana.session(f"c-{start}") as session:
                for each in secrets[start : start + 15]:
                    told.append(str(session.turn("user", each["text"])))
                    told.append(str(session.turn("tool", each["text"])))
            told.append(str(session.outcomes))
        for each in secrets:
            told.append(str(ana.remember(each["text"])))
            told.append(str(ana.remember("Keeps it there", slot=Slot("x.note", value=each["text"][:2_000]))))
            with pytest.raises(stead.SteadError) as wrong:
                ana.remember(each["text"], valid_until="2020-01-01")
            told.append(f"{wrong.value} {wrong.value.hint} {wrong.value.as_dict()}")
        told += [json.dumps(line) for line in ana.export()]
        told += [ana.recall("key token password card code").text, str(ana.decisions(limit=1_000)), str(ana.questions())]
        stored = _INVISIBLE.sub("", bytes_of(store).decode("utf-8", "replace"))
        sent = [_INVISIBLE.sub("", request.body.decode()) for request in script.requests]
    assert len(sent) >= 4
    everywhere = "\n".join([*map(str, told), caplog.text, stored, *sent])
    plain = _INVISIBLE.sub("", everywhere)
    assert [each["id"] for each in secrets if any(line in plain for line in secret_lines(each))] == []


def test_r48_of_120_hostile_texts_none_is_active(ana: stead.Subject) -> None:
    """Whoever says it and however it is asked for: no fact, no words, no line of a prompt; a person may look at some."""
    texts = [each["text"] for each in entries("hostile.yaml")]
    assert len(texts) == 120
    for place, text in enumerate(texts):
        ana.remember(text, speaker=f"page-{place}", authority="external")
        ana.remember(text)
        with ana.session(f"c-{place}") as session:
            session.turn("tool", text)
            session.turn("user", text)
    assert [each for each in ana.records() if each.status not in ("proposed", "rejected")] == []
    for query in ("", "what should the assistant always do?", "instructions rules account finance send data", "Regeln"):
        context = ana.recall(query, budget={"facts": 100, "episodes": 100, "tokens": 100_000})
        assert (context.facts, context.episodes, context.questions) == ((), (), ())
    assert ana.questions() == []
