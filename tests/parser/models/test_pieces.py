"""Parsing files piece by piece, in one process or several: results as from sentences, errors, and end of processes."""

import io
import multiprocessing
import os
import select
import sys
import time
import tracemalloc

import pytest
from crossarc import Config, CrossarcError, read_sentences, train
from crossarc.parser.models import words
from crossarc.parser.models.pieces import LARGEST, SMALLEST, ParsedPiece, PieceParser, parse_pieces, piece_size
from crossarc.parser.treebank import Piece, conll_text, read_pieces
from crossarc.parser.treebank.formats import Layout
from installed import PLUGINS, needs
from joblib.externals.loky import get_reusable_executor


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """End joblib's workers of other tests; because of their threads, Python 3.15 warns of every fork."""
    get_reusable_executor().shutdown(wait=True)


def pieces(count):
    return [Piece(b"%d" % number, number + 1, Layout("conllu", "gold", 10), "f") for number in range(count)]


def echo(piece):
    """Return the data of a piece; even numbers take longer, so that results are not ready in order."""
    if int(piece.data) % 2 == 0:
        time.sleep(0.02)
    if piece.data == b"7":
        raise CrossarcError("f:8: the eighth")
    return ParsedPiece(piece.data, 1, 2, 0, 1)


class TooLarge(ParsedPiece):
    def __reduce__(self):
        raise MemoryError


@pytest.mark.skipif(os.name == "nt", reason="the class is not found by processes that are not forked")
def test_lack_of_memory_raises_an_error_and_prints_nothing(capfd):
    message = r"^a worker process ended unexpectedly, possibly for lack of memory; use fewer jobs$"
    with pytest.raises(CrossarcError, match=message):
        list(parse_pieces(lambda piece: TooLarge(piece.data, 1, 2, 0, 1), pieces(3), 2))
    assert capfd.readouterr() == ("", "")


def test_results_and_errors_come_in_the_order_of_the_pieces():
    for jobs in (1, 2, 3):
        assert [piece.data for piece in parse_pieces(echo, pieces(7), jobs)] == [b"%d" % number for number in range(7)]
        assert list(parse_pieces(echo, [], jobs)) == []
        found = []
        with pytest.raises(CrossarcError, match="f:8: the eighth"):
            found.extend(piece.data for piece in parse_pieces(echo, pieces(12), jobs))
        results = parse_pieces(echo, pieces(12), jobs)
        assert [next(results).data for _ in range(7)] == [b"%d" % number for number in range(7)]


def test_dead_processes_and_zero_jobs_are_errors():
    def dies(piece):
        if piece.data == b"3":
            os._exit(1)
        return ParsedPiece(piece.data, 1, 1, 0, 1)

    with pytest.raises(CrossarcError, match="a worker process ended unexpectedly"):
        list(parse_pieces(dies, pieces(6), 2))
    with pytest.raises(CrossarcError, match="jobs: found 0, expected a number, 1 or more"):
        parse_pieces(echo, [], 0)


@pytest.mark.skipif(sys.platform != "linux", reason="the pipe is open in processes that are forked")
def test_worker_processes_end_with_the_main_process():
    ours, theirs = os.pipe()

    def endless():
        yield from pieces(5)
        os.write(theirs, b"!")
        time.sleep(60)

    first = multiprocessing.get_context("fork").Process(target=lambda: list(parse_pieces(echo, endless(), 2)))
    first.start()
    os.close(theirs)
    assert os.read(ours, 1) == b"!"
    first.kill()
    assert select.select([ours], [], [], 20)[0] == [ours]  # end of file: no process has the pipe open
    first.join()
    os.close(ours)


def ends(function, seconds):
    """Whether the function ends without an error in so many seconds, in a process of its own."""
    own = multiprocessing.get_context("fork").Process(target=function)
    own.start()
    own.join(seconds)
    own.kill()
    return own.exitcode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="functions within functions are not found by other processes")
def test_processes_end_while_pipes_are_full():
    """Both processes are ended while they write results, or read pieces, that are larger than a pipe."""

    def stopped_early():
        for sent, received in [(10, 2**24), (2**22, 2**24), (2**22, 10)] * 3:
            large = [piece._replace(data=bytes(sent)) for piece in pieces(9)]
            results = parse_pieces(lambda _, size=received: ParsedPiece(bytes(size), 1, 1, 0, 1), large, 2)
            next(results)
            results.close()

    assert ends(stopped_early, 60)


@pytest.mark.skipif(sys.platform != "linux", reason="functions within functions are not found by other processes")
def test_processes_end_while_pieces_wait_for_them():
    """Pieces larger than a pipe wait for processes that are busy, and no process reads them any more."""

    def busy(piece):
        if piece.line > 1:
            time.sleep(60)
        return ParsedPiece(b"", 1, 1, 0, 1)

    def stopped_early():
        results = parse_pieces(busy, [piece._replace(data=bytes(2**22)) for piece in pieces(9)], 2)
        next(results)
        time.sleep(0.5)  # until a piece fills the pipe
        results.close()

    assert ends(stopped_early, 30)


def test_pieces_are_read_shortly_before_parsing():
    read = 0

    def counted():
        nonlocal read
        for piece in pieces(40):
            read += 1
            yield piece

    results = parse_pieces(lambda piece: ParsedPiece(piece.data, 1, 1, 0, 1), counted(), 2)
    next(results)
    assert read <= 8
    results.close()


def test_pieces_are_small_enough_for_all_jobs(tmp_path):
    file = tmp_path / "f.conllu"
    file.write_bytes(b"x" * 2**20)
    assert [piece_size(str(file), jobs) for jobs in (1, 2, 4, 100)] == [LARGEST, 2**17, 2**16, SMALLEST]
    assert piece_size("-", 2) == LARGEST // 2


@pytest.fixture(scope="module")
def models(trained, sentences):
    """A parser, one with transforms, one with another table of forms, and a blend of all three."""
    transforms = ("reversal", "pseudo-projective")
    backwards = train(Config(features="small", transforms=transforms), sentences=sentences)
    few = train(Config(system="covington", features="small"), sentences=sentences[:20])
    parts = {"plain": trained("arc-standard"), "backwards": backwards, "few": few}
    if "blending" not in PLUGINS:
        return parts
    from crossarc.parser.plugins.blending.model import BlendModel
    from crossarc.parser.plugins.blending.vote_weights import Weights

    special = ({"NOUN": 0.7}, {"VERB": 0.9, "NOUN": 0.6}, {})
    return {**parts, "blend": BlendModel(parts, Weights("pos", (0.5, 0.4, 0.3), special), True, provenance={})}


@pytest.mark.parametrize("size", [1, 3000, 10**6])
@pytest.mark.parametrize("name", ["plain", "backwards", pytest.param("blend", marks=needs("blending"))])
def test_pieces_give_the_bytes_of_parsed_sentences(models, small_treebank, name, size):
    model = models[name]
    data = small_treebank.read_bytes()
    spoilt = data.replace(b"\n\n", b"\n\n\n", 3)  # irregular: extra blank lines
    for text in (data, spoilt, data.replace(b"\n", b"\r\n")):
        expected = "".join(map(conll_text, model.parse(read_sentences(io.BytesIO(text))))).encode()
        parse = PieceParser(model)
        parsed = list(map(parse, read_pieces(io.BytesIO(text), size=size)))
        assert b"".join(piece.data for piece in parsed) == expected
        sentences = list(read_sentences(io.BytesIO(text)))
        assert sum(piece.sentences for piece in parsed) == len(sentences)
        assert sum(piece.words for piece in parsed) == sum(map(len, sentences))


@pytest.mark.parametrize("limit", ["MOST_TOKENS", "MOST_BYTES"])
def test_limits_of_the_token_memory_do_not_change_the_output(models, small_treebank, monkeypatch, limit):
    monkeypatch.setattr(words, limit, 20)
    pieces = list(read_pieces(str(small_treebank), size=3000))
    model = models.get("blend", models["backwards"])
    parse = PieceParser(model)
    assert [parse(piece) for piece in pieces] == [PieceParser(model)(piece) for piece in pieces]


def test_memory_does_not_grow_with_requests(models):
    """The parser does not keep long forms, positions of columns, or long names of columns."""
    row = ("1", "ID"), ("x" * 10**6, "FORM"), ("_", "LEMMA"), ("X", "UPOS"), ("X", "XPOS"), ("_", "FEATS")
    parse = PieceParser(models["plain"])
    sizes = []
    tracemalloc.start()
    for number in range(60):
        more = [(str(number), f"M{own}:{'n' * 20_000}") for own in range(number % 30)]
        values, names = zip(*row, *more, ("_", "HEAD"), ("_", "DEPREL"), strict=True)
        text = f"# global.columns = {' '.join(names)}\n" + "\t".join(values) + "\n\n"
        (piece,) = read_pieces(io.BytesIO(text.encode()))
        assert parse(piece).words == 1
        del piece, text
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert max(sizes) < 80 * 10**6
    assert sizes[-1] < 1.3 * sizes[29]
