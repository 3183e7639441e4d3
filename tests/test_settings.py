"""Settings: each layer beats the one below it, each value says where it came from, and nothing wrong is passed over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stead.errors import InvalidArgument
from stead.settings import CHECKS, Settings, load, strangers, user_file

VALUES: dict[str, tuple[str, Any]] = {
    "store": ('"other.db"', "other.db"),
    "tenant": ('"acme"', "acme"),
    "subject": ('"ana"', "ana"),
    "zone": ('"Europe/Berlin"', "Europe/Berlin"),
    "embedder": ('"none"', "none"),
    "purpose": ('"assistant"', "assistant"),
    "audience": ('["family", "doctor"]', ("family", "doctor")),
    "policy": ('"policy.toml"', "policy.toml"),
    "model": ('"openai:gpt-x"', "openai:gpt-x"),
    "resolver": ('"model"', "model"),
    "busy_timeout": ("2", 2.0),
}
"""Each setting as TOML, and as what it is read as."""

Layers = Callable[..., Settings]


@pytest.fixture
def layers(tmp_path: Path) -> Layers:
    """Return a function that writes the files and reads the settings."""

    def read(
        *,
        user: str = "",
        project: str = "",
        environ: dict[str, str] | None = None,
        arguments: dict[str, Any] | None = None,
    ) -> Settings:
        places = {tmp_path / "config" / "stead" / "stead.toml": user, tmp_path / "project" / "stead.toml": project}
        for path, text in places.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if text:
                path.write_text(text, "utf-8")
        variables = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "HOME": str(tmp_path)} | (environ or {})
        return load(arguments, environ=variables, folder=tmp_path / "project")

    return read


def test_every_setting_has_a_case_here() -> None:
    assert set(VALUES) == set(CHECKS) == {name for name in Settings.__dataclass_fields__ if name != "origins"}


def test_without_anything_the_defaults_apply(layers: Layers) -> None:
    settings = layers()
    assert settings == Settings()
    assert settings.store == "memory.db"
    assert settings.subject == "user"
    assert settings.embedder == "auto"
    assert {each["origin"] for each in settings.as_dict().values()} == {"default"}


def test_each_layer_beats_the_one_below(layers: Layers, tmp_path: Path) -> None:
    user, project = 'subject = "from-user"', 'subject = "from-project"'
    environ, arguments = {"STEAD_SUBJECT": "from-environment"}, {"subject": "from-argument"}

    found = [
        layers(user=user),
        layers(user=user, project=project),
        layers(user=user, project=project, environ=environ),
        layers(user=user, project=project, environ=environ, arguments=arguments),
    ]
    assert [each.subject for each in found] == ["from-user", "from-project", "from-environment", "from-argument"]
    assert [each.origins["subject"] for each in found] == [
        str(tmp_path / "config" / "stead" / "stead.toml"),
        str(tmp_path / "project" / "stead.toml"),
        "STEAD_SUBJECT",
        "argument",
    ]


def test_layers_mix_key_by_key(layers: Layers) -> None:
    settings = layers(
        user='zone = "Europe/Berlin"\nsubject = "ana"', project='subject = "ben"', environ={"STEAD_TENANT": "acme"}
    )
    assert (settings.zone, settings.subject, settings.tenant) == ("Europe/Berlin", "ben", "acme")


@pytest.mark.parametrize("name", sorted(VALUES))
def test_every_setting_can_come_from_a_file(layers: Layers, tmp_path: Path, name: str) -> None:
    written, read = VALUES[name]
    value = getattr(layers(project=f"{name} = {written}"), name)
    assert value == (str(tmp_path / "project" / read) if name in {"store", "policy"} else read)


@pytest.mark.parametrize("name", sorted(VALUES))
def test_every_setting_can_come_from_the_environment(layers: Layers, name: str) -> None:
    read = VALUES[name][1]
    text = ",".join(read) if isinstance(read, tuple) else str(read)
    settings = layers(environ={f"STEAD_{name.upper()}": text})
    assert getattr(settings, name) == read
    assert settings.origins[name] == f"STEAD_{name.upper()}"


@pytest.mark.parametrize("name", sorted(VALUES))
def test_every_setting_can_be_an_argument(layers: Layers, name: str) -> None:
    assert getattr(layers(arguments={name: VALUES[name][1]}), name) == VALUES[name][1]


def test_an_argument_of_none_is_not_given(layers: Layers) -> None:
    assert layers(project='subject = "ana"', arguments={"subject": None}).subject == "ana"


def test_an_empty_variable_is_not_set(layers: Layers) -> None:
    assert layers(environ={"STEAD_SUBJECT": "", "STEAD_ZONE": " "}) == Settings()


def test_a_path_in_a_file_is_relative_to_the_file(layers: Layers, tmp_path: Path) -> None:
    assert layers(user='store = "mine.db"').store == str(tmp_path / "config" / "stead" / "mine.db")


@pytest.mark.parametrize("written", ["sqlite:///x.db", "/data/x.db"])
def test_an_absolute_path_in_a_file_stays(layers: Layers, written: str) -> None:
    assert layers(user=f'store = "{written}"').store == written


def test_an_unknown_key_names_file_key_and_fix(layers: Layers, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument) as caught:
        layers(project='subjekt = "ana"')
    assert caught.value.field == f"{tmp_path / 'project' / 'stead.toml'}: subjekt"
    assert "no such setting" in caught.value.message
    assert "subject" in caught.value.hint


@pytest.mark.parametrize(
    "line",
    [
        "store = 1",
        'subject = ""',
        'zone = "Europe/Atlantis"',
        "zone = 1",
        'embedder = "best"',
        "embedder = true",
        "audience = [1]",
        "audience = []",
        'busy_timeout = "long"',
        "busy_timeout = -1",
        "busy_timeout = true",
        "busy_timeout = nan",
        "policy = {}",
    ],
)
def test_a_wrong_value_in_a_file_names_file_key_and_fix(layers: Layers, line: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        layers(user=line)
    assert f"stead.toml: {line.split(maxsplit=1)[0]}" in caught.value.field
    assert caught.value.hint


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("STEAD_ZONE", "Mars/Base"),
        ("STEAD_BUSY_TIMEOUT", "soon"),
        ("STEAD_EMBEDDER", "x"),
        ("STEAD_RESOLVER", "x"),
        ("STEAD_AUDIENCE", ","),
    ],
)
def test_a_wrong_value_in_the_environment_names_the_variable(layers: Layers, variable: str, text: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        layers(environ={variable: text})
    assert caught.value.field == variable


@pytest.mark.parametrize("text", ["subject = ", "[x", 'subject = "a" b'])
def test_a_broken_file_is_an_error_that_names_it(layers: Layers, text: str) -> None:
    with pytest.raises(InvalidArgument, match=r"stead\.toml: not a TOML file"):
        layers(project=text)


def test_a_file_in_another_encoding_is_an_error(layers: Layers, tmp_path: Path) -> None:
    layers()
    (tmp_path / "project" / "stead.toml").write_bytes(b'subject = "\xff"')
    with pytest.raises(InvalidArgument, match="byte 11"):
        layers()


def test_a_folder_in_the_place_of_a_file_is_an_error(layers: Layers, tmp_path: Path) -> None:
    (tmp_path / "project" / "stead.toml").mkdir(parents=True)
    with pytest.raises(InvalidArgument, match="can't be read"):
        layers()


def test_an_unknown_argument_is_an_error(layers: Layers) -> None:
    with pytest.raises(InvalidArgument, match="no such setting"):
        layers(arguments={"stor": "x"})


def test_a_relative_config_home_is_ignored_as_its_specification_says() -> None:
    assert user_file({"XDG_CONFIG_HOME": "here", "HOME": "/home/ana"}) == Path("/home/ana/.config/stead/stead.toml")


def test_variables_that_name_no_setting_are_told() -> None:
    assert strangers({"STEAD_SUBJCT": "x", "STEAD_SUBJECT": "x", "STEAD_DEBUG": "1", "HOME": "/"}) == ["STEAD_SUBJCT"]


def test_settings_are_frozen() -> None:
    with pytest.raises(AttributeError):
        Settings().store = "x"  # type: ignore[misc]
