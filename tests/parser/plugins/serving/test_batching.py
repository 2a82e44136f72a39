"""Batches: waiting requests are parsed together, and each gets its own answer within a time limit."""

import asyncio
import time
from threading import Event

import pytest
from crossarc.parser.base.errors import CrossarcError
from crossarc.parser.plugins.serving.batching import Batcher, EndedError
from crossarc.parser.plugins.serving.limits import Limits
from crossarc.parser.plugins.serving.worker import Done, ParsingRequest, Unfinished

LIMITS = Limits(seconds=1, batch=1)
"""At most 40 characters and half a second per batch."""


class Recorder:
    """A worker without a process. It records its batches; some data make it slow, fail or end.

    The content "once" can be loaded by the first worker only, which alone ends on the data "end once".
    """

    def __init__(self, path, limits, kernel=""):
        self.batches = []
        self.begun = {}
        self.stopped = Event()
        self.made.append(self)

    def load(self, content):
        self.content = content
        if content == b"once" and len(self.made) > 1:
            raise EOFError
        return []

    def answers(self, works, unfinished):
        works = [self.begun[work] if isinstance(work, int) else work for work in works]
        data = [str(work.data) for work in works]
        self.batches.append(data)
        if "slow" in data and self.stopped.wait(10):
            raise EOFError
        if "end" in data or ("end once" in data and len(self.made) == 1):
            raise EOFError
        return [self.outcome(work) for work in works]

    def outcome(self, work):
        """Data with a plus sign are answered in as many parts, each of which takes a moment."""
        left = work.data.count("+")
        if left:
            time.sleep(0.02)
            number = len(self.begun)
            self.begun[number] = work._replace(data=work.data.replace("+", "", 1))
            return Unfinished(number, left)
        return CrossarcError("bad") if work.data == "bad" else Done(work.data)

    def stop(self):
        self.stopped.set()


@pytest.fixture
def made():
    """The workers in the order of their start."""
    Recorder.made = []
    return Recorder.made


async def served(use, path=__file__):
    batcher = Batcher("m", str(path), LIMITS, Recorder)
    batcher.wait()
    using = asyncio.ensure_future(use(batcher))
    await asyncio.sleep(0)
    task = asyncio.create_task(batcher.run())
    try:
        return await using
    finally:
        task.cancel()
        batcher.stop()


def answers(*data, path=__file__):
    async def use(batcher):
        return await asyncio.gather(*(batcher.answer(ParsingRequest(own)) for own in data), return_exceptions=True)

    return [own.result if isinstance(own, Done) else type(own) for own in asyncio.run(served(use, path))]


def test_waiting_requests_are_batched_smallest_first(made):
    data = ["c" * 30, "a", "d" * 50, "b"]
    assert answers(*data) == data
    assert made[0].batches == [["a", "b", "c" * 30], ["d" * 50]]


def test_errors_do_not_affect_other_requests_in_a_batch(made):
    assert answers("a", "bad", "c") == ["a", CrossarcError, "c"]
    assert len(made) == 1


@pytest.mark.parametrize(("bad", "error"), [("slow", TimeoutError), ("end", EndedError)])
def test_other_requests_of_a_stopped_batch_are_answered(made, bad, error):
    start = time.monotonic()
    assert answers("a", bad, "c") == ["a", error, "c"]
    assert time.monotonic() - start < 3
    again = [[[bad]]] if bad == "end" else []  # a request that met a dead process is parsed once more
    assert [own.batches for own in made] == [[["a", "c", bad]], [["a"], ["c"], [bad]], *again]


def test_cancelled_requests_are_not_parsed(made):
    async def use(batcher):
        gone, here = (asyncio.ensure_future(batcher.answer(ParsingRequest(own))) for own in ("gone", "here"))
        await asyncio.sleep(0)
        gone.cancel()
        await here

    asyncio.run(served(use))
    assert made[0].batches == [["here"]]


def test_a_request_that_met_a_dead_process_is_parsed_again(made):
    assert answers("end once") == ["end once"]
    assert len(made) == 2


def test_a_further_process_loads_the_same_content(made, tmp_path):
    """Otherwise clients would get other trees under the same name."""
    path = tmp_path / "m.model"
    path.write_bytes(b"one")

    async def use(batcher):
        path.unlink()
        with pytest.raises(EndedError, match="the process of the model has ended"):
            await batcher.answer(ParsingRequest("end"))
        assert (await batcher.answer(ParsingRequest("a"))).result == "a"

    asyncio.run(served(use, path))
    assert [own.content for own in made] == [b"one"] * 3


def test_a_process_that_ends_while_it_loads_is_reported(made, tmp_path):
    (tmp_path / "m.model").write_bytes(b"once")
    assert answers("end once", path=tmp_path / "m.model") == [EndedError]
    assert len(made) == 2


def test_small_requests_pass_a_large_one_that_has_begun(made):
    async def use(batcher):
        done = []

        async def ask(data, wait=0.0):
            await asyncio.sleep(wait)
            await batcher.answer(ParsingRequest(data))
            done.append(data)

        await asyncio.gather(ask("large" + "+" * 20), ask("a", 0.03), ask("b", 0.1))
        return done

    assert asyncio.run(served(use)) == ["a", "b", "large" + "+" * 20]
    assert len(made[0].batches) > 20


def test_a_large_request_begins_again_in_another_process(made, tmp_path):
    """The part that the ended process had parsed is lost."""
    (tmp_path / "new").write_bytes(b"new")

    async def use(batcher):
        large = asyncio.ensure_future(batcher.answer(ParsingRequest("large+++++")))
        await asyncio.sleep(0.05)
        await batcher.upgrade("test", str(tmp_path / "new"))
        return (await large).result, batcher.ready

    assert asyncio.run(served(use)) == ("large", True)
    assert [own.batches[0] for own in made] == [["large+++++"]] * 2
    assert made[1].content == b"new"


def test_the_last_of_several_upgrades_holds(made, tmp_path, monkeypatch):
    """The first one, which compiles code, takes longer."""
    model = tmp_path / "m.model"
    model.write_bytes(b"old")

    async def use(batcher):
        reasons = []
        batcher.on_replaced = reasons.append
        first = asyncio.ensure_future(batcher.upgrade("compiled"))
        await asyncio.sleep(0)
        model.write_bytes(b"new")
        await asyncio.gather(first, batcher.upgrade_from_file())
        with pytest.raises(EndedError):
            await batcher.answer(ParsingRequest("end"))
        await batcher.answer(ParsingRequest("a"))
        return reasons[:2]

    load = Recorder.load

    def slow_once(recorder, content):
        time.sleep(0.2 if made.index(recorder) == 1 else 0)
        return load(recorder, content)

    monkeypatch.setattr(Recorder, "load", slow_once)
    assert asyncio.run(served(use, model)) == ["compiled", "upgrade"]
    assert [recorder.content for recorder in made[:3]] == [b"old", b"old", b"new"]
    assert made[-1].content == b"new"


def test_an_upgrade_that_fails_leaves_the_model(made, tmp_path):
    (tmp_path / "m.model").write_bytes(b"once")

    async def use(batcher):
        reasons = []
        batcher.on_replaced = reasons.append
        await batcher.upgrade_from_file()
        return (await batcher.answer(ParsingRequest("a"))).result, reasons, made[0].stopped.is_set()

    assert asyncio.run(served(use, tmp_path / "m.model")) == ("a", [], False)
    assert made[1].stopped.is_set()
