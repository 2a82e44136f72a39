"""Objects of known classes as JSON and plain numbers, and back: classifiers in model files, without pickle.

An object is taken apart as pickle does (``__reduce_ex__``), but its class is looked up among those of scikit-learn,
sparse matrices of scipy and the classes that the caller allows; functions and all other objects are refused.
"""

from __future__ import annotations

import copyreg
import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import CrossarcError
from ...base.shapes import ShapeError

PLAIN = (type(None), bool, int, float, str)
PACKAGES = ("sklearn.", "scipy.sparse.")
RANDOM = (np.random.RandomState, np.random.Generator)
"""States of random numbers, which serve training alone, are left out."""
NEW = "new"

Known = Mapping[str, type]
"""Other classes that may be used, by name."""


class _Packer:
    def __init__(self, known: Known) -> None:
        self.names = {kind: name for name, kind in known.items()}
        self.places: dict[bytes, int] = {}
        self.size = 0

    def pack(self, value: Any, way: str) -> Any:
        """The value as JSON: itself if it is plain, else a list that begins with its kind."""
        if isinstance(value, np.ndarray) and type(value) is np.ndarray and not value.dtype.hasobject:
            return self._array(value)
        if isinstance(value, np.generic):
            return ["number", *self._array(np.array(value))[1:]]
        if type(value) in PLAIN:
            return value
        if isinstance(value, RANDOM):
            return None
        if type(value) in (list, tuple):
            return [type(value).__name__, *(self.pack(member, f"{way}[{at}]") for at, member in enumerate(value))]
        if type(value) is dict:
            pairs = [[self.pack(key, way), self.pack(member, f"{way}.{key}")] for key, member in value.items()]
            return ["dict", *pairs]
        return self._object(value, way)

    def _array(self, array: NDArray[Any]) -> list[Any]:
        kind: Any = array.dtype.str
        plain = array
        if fields := array.dtype.fields:
            formats, offsets = zip(*((field.str, offset) for field, offset, *_ in fields.values()), strict=True)
            kind = {"names": [*fields], "formats": formats, "offsets": offsets, "itemsize": array.itemsize}
            plain = np.zeros(array.shape, array.dtype)  # bytes between fields have any values
            for name in fields:
                plain[name] = array[name]
        data = plain.tobytes()
        if data not in self.places:
            self.places[data] = self.size
            self.size += len(data)
        return ["array", kind, list(array.shape), self.places[data]]

    def _object(self, value: Any, way: str) -> list[Any]:
        kind = type(value)
        reduced = value.__reduce_ex__(2) if self._name(kind) else ()
        if not isinstance(reduced, tuple) or not reduced or any(rest is not None for rest in reduced[3:]):
            raise CrossarcError(f"{way.strip('.')}: an object of {kind.__qualname__} cannot be saved in a model")
        make, arguments, state = (*reduced, None)[:3]
        fresh = make is copyreg.__newobj__  # type: ignore[attr-defined]
        if fresh:
            make, *arguments = arguments
        if make is not kind:
            raise CrossarcError(f"{way.strip('.')}: an object of {kind.__qualname__} cannot be saved in a model")
        packed = self.pack(list(arguments), way)
        return [NEW if fresh else "call", self._name(kind), packed, self.pack(state, way)]

    def _name(self, kind: type) -> str:
        path = f"{kind.__module__}.{kind.__qualname__}"
        return self.names.get(kind, path if path.startswith(PACKAGES) else "")


def packed(value: Any, known: Known, name: str) -> dict[str, NDArray[np.uint8]]:
    """Two arrays of bytes that hold an object: its structure as JSON, and the numbers of its arrays.

    name: name of the object in messages

    Raises CrossarcError for an object that cannot be saved, naming it.
    """
    packer = _Packer(known)
    try:
        text = json.dumps(packer.pack(value, name), separators=(",", ":"))
    except RecursionError as error:
        raise CrossarcError(f"{name}: its objects are nested too deeply to be saved in a model") from error
    return {
        "structure": np.frombuffer(text.encode(), np.uint8),
        "numbers": np.frombuffer(b"".join(packer.places), np.uint8),
    }


def unpacked(arrays: Mapping[str, NDArray[np.uint8]], known: Known) -> Any:
    """The object of :func:`packed`. Raises ShapeError for bytes that do not hold one.

    Classes are checked, their numbers are not: compiled code of a classifier may fail on those of a forged file.
    """
    try:
        return _unpack(json.loads(arrays["structure"].tobytes()), arrays["numbers"].tobytes(), known)
    except (ArithmeticError, AttributeError, ImportError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise ShapeError(": array structure", f"holds no classifier: {type(error).__name__} {error}") from error


def _unpack(value: Any, numbers: bytes, known: Known) -> Any:
    if not isinstance(value, list):
        return value
    kind, *parts = value
    if kind in ("array", "number"):
        descr, shape, start = parts
        count = int(np.prod(shape, dtype=np.int64))
        array = np.frombuffer(numbers, np.dtype(descr), count, start).reshape(shape).copy()
        return array if kind == "array" else array[()]
    if kind in ("list", "tuple"):
        members = [_unpack(part, numbers, known) for part in parts]
        return members if kind == "list" else tuple(members)
    if kind == "dict":
        return {_unpack(key, numbers, known): _unpack(member, numbers, known) for key, member in parts}
    cls = _class(parts[0], known)
    arguments, state = (_unpack(part, numbers, known) for part in parts[1:])
    made = cls.__new__(cls, *arguments) if kind == NEW else cls(*arguments)
    if hasattr(made, "__setstate__"):
        made.__setstate__(state)
    else:
        for values in state if isinstance(state, tuple) else (state,):
            for name, one in (values or {}).items():
                setattr(made, name, one)
    return made


def _class(path: str, known: Known) -> type:
    if path in known:
        return known[path]
    module, _, name = path.rpartition(".")
    cls = getattr(import_module(module), name) if path.startswith(PACKAGES) else None
    if not isinstance(cls, type) or not cls.__module__.startswith(PACKAGES):
        raise ValueError(f"found the class {path}, which is not one of scikit-learn")
    return cls
