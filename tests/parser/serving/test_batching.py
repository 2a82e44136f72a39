"""Requests are parsed together, and each gets what it would have got alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.serving.batching import Batcher
from crossarc.parser.treebank import Sentence


class Recorder:
    """A parser that notes its batches, and fails on the word "bad"."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def parse_chunk(self, sentences: Iterable[Sentence]) -> list[Sentence]:
        given = list(sentences)
        self.batches.append([s.column("form")[0] for s in given])
        if any("bad" in s.column("form") for s in given):
            raise CrossarcError("bad")
        return [own.with_tree([-1] + [0] * len(own), [""] + ["x"] * len(own)) for own in given]


def words(name: str, count: int = 1) -> list[Sentence]:
    return [Sentence.from_tokens([name] * count)]


async def served(requests: list[tuple[Recorder, list[Sentence]]], most: int) -> list[object]:
    batcher = Batcher(most)
    asked = [asyncio.ensure_future(batcher.parse(model, sentences)) for model, sentences in requests]
    await asyncio.sleep(0)
    task = asyncio.create_task(batcher.run())
    answers = await asyncio.gather(*asked, return_exceptions=True)
    task.cancel()
    return list(answers)


def test_what_waits_is_parsed_together_in_its_order() -> None:
    model = Recorder()
    answers = asyncio.run(served([(model, words(name)) for name in "abc"], 10))
    assert model.batches == [["a", "b", "c"]]
    assert [answer[0].column("form") for answer in answers] == [("a",), ("b",), ("c",)]  # type: ignore[index]
    assert answers[0][0].column("deprel") == ("x",)  # type: ignore[index]


def test_a_batch_has_so_many_words_and_one_model() -> None:
    one, two = Recorder(), Recorder()
    requests = [(one, words("a", 3)), (two, words("b")), (one, words("c", 3)), (one, words("d", 9)), (one, words("e"))]
    asyncio.run(served(requests, 5))
    assert one.batches == [["a", "e"], ["c"], ["d"]]
    assert two.batches == [["b"]]


def test_what_fails_fails_alone() -> None:
    model = Recorder()
    answers = asyncio.run(served([(model, words("a")), (model, words("bad")), (model, words("c"))], 10))
    assert isinstance(answers[1], CrossarcError)
    assert [len(answer) for answer in (answers[0], answers[2])] == [1, 1]  # type: ignore[arg-type]


def test_whoever_has_gone_is_not_parsed() -> None:
    async def run(model: Recorder) -> None:
        batcher = Batcher(10)
        gone = asyncio.ensure_future(batcher.parse(model, words("gone")))  # type: ignore[arg-type]
        here = asyncio.ensure_future(batcher.parse(model, words("here")))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        gone.cancel()
        task = asyncio.create_task(batcher.run())
        await here
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone

    model = Recorder()
    asyncio.run(run(model))
    assert model.batches == [["here"]]


def test_nothing_to_parse_is_answered_at_once() -> None:
    assert asyncio.run(Batcher(1).parse(Recorder(), [])) == []  # type: ignore[arg-type]
