"""Changing what has a structure, so that it stays readable: JSON by its values, model files by their members."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from model_mutations import change_value, descend

__all__ = ["changed_document", "changed_model"]

METADATA = "metadata.json"
WILD = (
    b"\0",
    b"\xff",
    b"\xff\xff\xff\xff",
    b"\0\0\0\x80",
    b"\n",
    b"\t",
    b" ",
    b"-1",
    b"9" * 20,
    b".",
    b":",
    b"(",
    b")",
    b"_",
)


def changed_document(data: bytes, longest: int, seed: int) -> bytes:
    """One to three values or keys of a JSON document changed; of what is none, bytes."""
    dice = random.Random(seed)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return _changed_bytes(data, dice)[:longest]
    for _ in range(dice.choice((1, 1, 2, 3))):
        if not document or not isinstance(document, dict | list):
            break
        _change(document, dice)
    result = json.dumps(document).encode()
    return result if len(result) <= longest else data


def changed_model(data: bytes, longest: int, seed: int) -> bytes:
    """A member of a model file changed, and all packed again; once in eight times bytes of the whole file."""
    dice = random.Random(seed)
    content = dict(_members(data))
    if not content or dice.random() < 0.125:
        return _changed_bytes(data, dice)[:longest]
    name = dice.choice(sorted(content))
    if METADATA in content and dice.random() < 0.3:
        content[METADATA] = changed_document(content[METADATA], longest, seed)
    elif dice.random() < 0.1:
        other = dice.choice(sorted(content))
        content[other] = content.pop(name)
    else:
        content[name] = _changed_array(content[name], dice)
    result = _packed(content)
    return result if len(result) <= longest else data


@lru_cache(maxsize=1000)
def _members(data: bytes) -> Mapping[str, bytes]:
    """The members of a model file; none of what is no zip. The same files are asked for again and again."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {info.filename: archive.read(info) for info in archive.infolist()}
    except Exception:  # whatever zipfile makes of bytes that are no zip
        return {}


def _packed(content: Mapping[str, bytes]) -> bytes:
    """A zip of the members, not compressed, with right checksums: zipfile would take most of a case's time."""
    entries, directory, start = [], [], 0
    for name, value in content.items():
        encoded = name.encode()
        about = struct.pack(
            "<HHHHHLLLHH", 20, 0x800, 0, 0, 33, zlib.crc32(value), len(value), len(value), len(encoded), 0
        )
        entries.append(b"PK\x03\x04" + about + encoded + value)
        directory.append(b"PK\x01\x02\x14\x03" + about + struct.pack("<HHHLL", 0, 0, 0, 0, start) + encoded)
        start += len(entries[-1])
    listed = b"".join(directory)
    count = len(directory)
    end = struct.pack("<HHHHLLH", 0, 0, count, count, len(listed), start, 0)
    return b"".join(entries) + listed + b"PK\x05\x06" + end


def _change(document: Any, dice: random.Random) -> None:
    kind = dice.random()
    if kind < 0.5:
        change_value(document, dice)
        return
    outer, key = descend(document, dice)
    if kind < 0.8 and isinstance(outer[key], str):
        outer[key] = _changed_text(outer[key], dice)
    elif isinstance(outer, dict):
        other = dice.choice(("", "\0 1", "\0 null", "\0 true", _changed_text(key, dice), key.replace("_", "-")))
        outer[_sound(other)] = outer.pop(key)
    else:
        change_value(document, dice)


def _changed_text(text: str, dice: random.Random) -> str:
    return _changed_bytes(text.encode("utf-8", "replace"), dice).decode("utf-8", "replace")


def _sound(key: str) -> str:
    """A key whose mark is followed by a value."""
    if key[:1] == "\0":
        try:
            hash(json.loads(key[1:]))
        except (ValueError, TypeError, RecursionError):
            return key.lstrip("\0")
    return key


def _changed_array(data: bytes, dice: random.Random) -> bytes:
    """An array's file with other values, or another header."""
    end = data.find(b"\n") + 1
    if dice.random() < 0.7:
        return data[:end] + _changed_bytes(data[end:], dice)
    return _changed_bytes(data[:end], dice) + data[end:]


def _changed_bytes(data: bytes, dice: random.Random) -> bytes:
    """The bytes with one to four stretches changed: flipped, left out, doubled, moved, or something wild in between."""
    for _ in range(dice.choice((1, 1, 2, 4))):
        start = dice.randrange(len(data) + 1)
        end = min(len(data), start + dice.choice((1, 1, 2, 4, 8, dice.randrange(64))))
        part = data[start:end]
        place = dice.randrange(len(data) + 1)
        new = (
            bytes(own ^ 1 << dice.randrange(8) for own in part),
            b"",
            part * dice.choice((2, 2, 3, 10)),
            dice.choice(WILD) + part,
            dice.choice(WILD),
            data[place : place + len(part)],
        )
        data = data[:start] + dice.choice(new) + data[end:]
    return data
