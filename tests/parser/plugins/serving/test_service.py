"""The service over HTTP: valid, invalid, incomplete and simultaneous requests."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.policy import HTTP
from functools import partial
from pathlib import Path

import crossarc.parser.plugins.serving
import pytest
from command_line import conllu, run, without_trees
from crossarc.parser.plugins.serving.command import _listening
from installed import needs
from service import TAGGED, answered, ask, expected, form, running, sentences_of

pytestmark = needs("tagging")

PARTS = "multipart/form-data"
FORMS = f"application/x-www-form-urlencoded, {PARTS}"


def test_models_are_listed(service):
    models = {"small": ["parser", "scores"], "tagged": ["tagger", "parser", "scores"]}
    assert answered(service, "/models") == {"models": models, "default_model": "small"}


def test_answers_do_not_wait_for_acknowledgements():
    with _listening("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_the_benchmark_of_the_page_measures_answers(service):
    page = Path(crossarc.parser.plugins.serving.__file__).with_name("README.md").read_text("utf-8")
    command = page[page.index(" -m timeit") :].partition("```")[0].replace("8001", str(service.port))
    command = f"{shlex.quote(sys.executable)}{command}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=100, check=False)
    assert re.fullmatch(r"200 loops, best of 5: [\d.]+ [mu]sec per loop\n", done.stdout), done.stderr


def test_parameters_are_given_once_in_query_and_form(service):
    status, answer = ask(
        service, "/process?model=gone&parser=", form(data="It barks", input="horizontal", model="small")
    )
    assert (status, "model is given twice, in the query and in the form" in answer) == (400, True)


@pytest.mark.parametrize(("charset", "status"), [("utf-16le", 415), ("UTF-8", 400), ('"utf-8"', 400)])
def test_texts_of_other_charsets_are_refused(service, charset, status):
    """The model has no tokenizer, which is told of a text that can be read."""
    headers = {"Content-Type": f"text/plain; charset={charset}"}
    assert ask(service, "/parse", b"It barks", headers)[0] == status


def test_process_accepts_forms_and_queries(service):
    text = without_trees(conllu(50, 3))
    answer = {"model": "small", "acknowledgements": [], "result": expected(service, text)}
    plain = ask(service, "/process", form(data=text, parser="", model="sm"))
    query = ask(service, "/process?" + form(data=text, parser="", input="conllu", output="conllu").decode())
    posted_query = ask(service, "/process?" + form(data=text, parser="1").decode(), b"")
    assert [(status, json.loads(own)) for status, own in (plain, query, posted_query)] == [(200, answer)] * 3


def as_udpipes_client(fields):
    """(body, content type) as from UDPipe 2's client, which uses Python's mail library: all lines end in CR LF."""
    message = MIMEMultipart("form-data", policy=HTTP)
    for name, value in fields.items():
        part = MIMENonMultipart("text", "plain")
        part.add_header("Content-Disposition", f'form-data; name="{name}"')
        part.add_header("Content-Transfer-Encoding", "8bit")
        part.set_payload(value, charset="utf-8")
        message.attach(part)
    return message.as_bytes().split(b"\r\n\r\n", maxsplit=1)[1], message["Content-Type"]


def as_curl(fields):
    """(body, content type) as from ``curl -F data=@FILE -F NAME=VALUE``."""
    parts = [f'--x\r\nContent-Disposition: form-data; name="{name}"' for name in fields]
    parts[0] += '; filename="in.conllu"\r\nContent-Type: application/octet-stream'
    body = "".join(f"{part}\r\n\r\n{value}\r\n" for part, value in zip(parts, fields.values(), strict=True))
    return f"{body}--x--\r\n".encode(), "multipart/form-data; boundary=x"


@pytest.mark.parametrize("sent", [as_udpipes_client, as_curl])
@pytest.mark.parametrize(
    "options",
    [
        {"input": "conllu", "output": "conllu", "parser": ""},
        {"input": "conllu=v2", "output": "conllu=v2", "model": "", "tagger": "none", "parser": "1"},
        {"model": "sm", "parser": "beam_search=5"},
    ],
)
def test_requests_of_udpipes_client_and_curl_are_answered(service, sent, options):
    rows = ["1-2\tzum\t_\t_\t_", "1\tzu\t_\tX\tNOUN", "2\tdem\t_\tX\tNOUN", "3\tfür\t_\tX\tNOUN"]
    text = without_trees(conllu(50, 2)) + "# text = für\n" + "".join(f"{row}\t_\t_\t_\t_\t_\n" for row in rows)
    body, kind = sent({"data": f"{text}\n", **options})
    expected_answer = {"model": "small", "acknowledgements": [], "result": expected(service, f"{text}\n")}
    assert answered(service, "/process", body, {"Content-Type": kind}) == expected_answer


def test_data_are_returned_unchanged_without_parser(service):
    text = conllu(60, 2)
    assert answered(service, "/process", form(data=text))["result"] == text


def test_words_without_tags_are_refused_unless_allowed(service):
    text = "1\tder" + "\t_" * 8 + "\n\n"
    found = "<stream>:1: the sentence has no tags, but the model reads XPOS"
    refusal = (400, f"{found}; tag the words first, or train with crossarc train --set tags=auto")
    as_json = json.dumps({"sentences": [["der"]]}).encode()
    for fields in ({"data": text}, {"data": "der", "input": "horizontal"}):
        status, answer = ask(service, "/process", form(**fields, parser=""))
        assert (status, answer.partition(", or parse")[0]) == refusal
        allowed = answered(service, "/process", form(**fields, parser="", allow_empty_columns="1"))
        assert allowed["warnings"] == [f"{found}: expect poor trees"]
        assert allowed["result"].split("\t")[6] == "0"
    status, answer = ask(service, "/parse", as_json)
    assert (status, answer.partition(", or parse")[0]) == refusal
    assert answered(service, "/parse?allow_empty_columns=1", as_json)["sentences"][0]["heads"] == [0]
    assert ask(service, "/parse?allow_empty_columns=yes", as_json)[0] == 400


NOT_UTF8 = b'--b\r\nContent-Disposition: form-data; name="data"\r\n\r\n\xff\r\n--b--\r\n'


@pytest.mark.parametrize(
    ("path", "body", "headers", "status", "reason"),
    [
        ("/process", form(parser=""), {}, 400, "data: found none, expected text to parse"),
        ("/process", form(data="x", parser="", model="big"), {}, 404, "model 'big'; allowed: small, tagged"),
        ("/process", form(data="x", tokenizer=""), {}, 400, "tokenizer: the model small has none; .*input=text"),
        (
            "/process",
            form(data="x", tokenizer="", input="conllx"),
            {},
            400,
            "input: found conllx, but with tokenizer .*",
        ),
        ("/process", form(data="x", tagger=""), {}, 400, "tagger: the model small has none; .*"),
        ("/process", form(date="x"), {}, 400, r"parameter 'date' \(did you mean 'data'\?\); allowed: .*"),
        ("/process", form(data="a " * 201, input="horizontal"), {}, 413, "a sentence of more than 200 words; .*"),
        ("/process", form(data="a\n" * 200_000), {}, 413, "a request of 800005 bytes; allowed: 300000 at most"),
        ("/process?data=%ff&parser", None, {}, 400, "the form is not UTF-8"),
        ("/process?" + "a" * 9999, None, {}, 400, r"parameter 'a{100}\.\.\.'; allowed: .*"),
        ("/process", b"data=x", {"Content-Type": "text/plain"}, 415, f"Content-Type 'text/plain'; allowed: {FORMS}"),
        ("/process", b"data=x", {"Content-Type": ""}, 415, f"Content-Type ''; allowed: {FORMS}"),
        ("/process", b"data=x", {"Content-Encoding": "gzip"}, 415, "Content-Encoding 'gzip'; allowed: identity"),
        ("/process", b"data=x", {"Content-Type": PARTS}, 400, "invalid form: Missing boundary in multipart."),
        ("/process", NOT_UTF8, {"Content-Type": f"{PARTS}; boundary=b"}, 400, "the form is not UTF-8"),
        ("/nowhere", None, {}, 404, "Not Found"),
    ],
)
def test_wrong_requests_are_refused(service, path, body, headers, status, reason):
    found, answer = ask(service, path, body, headers)
    assert found == status
    assert re.fullmatch(reason, answer.strip()), answer


def test_many_clients_get_their_own_answers(service):
    """Three requests differ in blank lines or line ends, and one has an invalid ID, which affects no other request."""
    texts = [without_trees(conllu(200 + 2 * number, 2)) for number in range(16)]
    texts[3] = texts[3].replace("\n\n", "\n\n\n")
    texts[6] = texts[6].replace("\n", "\r\n")
    texts[9] = texts[9].strip()
    texts[12] = texts[12].replace("\n1\t", "\n7\t")
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda text: ask(service, "/process", form(data=text, parser="")), texts))
    status, reason = answers.pop(12)
    assert status == 400
    assert re.fullmatch(r"<stream>:\d+: ID '7', expected 1\n", reason)
    right = [expected(service, text) for number, text in enumerate(texts) if number != 12]
    assert [json.loads(answer)["result"] for _, answer in answers] == right


def was_cut_off(client, chunk):
    """Whether the service closes the connection before it has received 200 chunks."""
    try:
        for _ in range(200):
            client.sendall(chunk)
            time.sleep(0.01)
    except OSError:
        return True
    return False


HEAD = b"POST /process HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
CHUNKS = b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("head", "chunk"),
    [
        (HEAD + CHUNKS, b"10000\r\n" + b"x" * 0x10000 + b"\r\n"),
        (b"GET /models HTTP/1.1\r\nX: ", b"x" * 0x10000),
        (HEAD + CHUNKS + b"1\r\nd\r\n0\r\nX: ", b"x" * 0x10000),
    ],
    ids=["body", "header", "trailer"],
)
def test_endless_requests_are_cut_off(service, head, chunk):
    with socket.create_connection(("127.0.0.1", service.port), 30) as endless:
        endless.sendall(head)
        assert was_cut_off(endless, chunk)
    start = time.monotonic()
    assert ask(service, "/process", form(data=without_trees(conllu(7, 1)), parser=""))[0] == 200
    assert time.monotonic() - start < 4


def until_closed(client):
    with client.makefile("rb") as answers:
        return answers.read()[:13]


def test_connections_with_incomplete_requests_are_closed_in_time(service):
    connect = lambda: socket.create_connection(("127.0.0.1", service.port), 30)  # noqa: E731
    with connect() as stopped, connect() as slow, connect() as silent, connect() as half, connect() as again:
        stopped.sendall(HEAD + b"Content-Length: 1000\r\n\r\ndata=")
        stopped.close()
        slow.sendall(HEAD + b"Content-Length: 1000\r\n\r\nd")
        half.sendall(b"GET /models HTTP/1.1\r\nHo")
        again.sendall(b"GET /models HTTP/1.1\r\nHost: x\r\n\r\nGET /models HTTP/1.1\r\nHo")
        found = [until_closed(client) for client in (slow, silent, half, again)]
        assert found == [b"HTTP/1.1 408 ", b"", b"", b"HTTP/1.1 200 "]
    assert ask(service, "/health")[0] == 200


def test_requests_appear_in_metrics_and_log(service):
    ask(service, "/process", form(data=without_trees(conllu(9, 2)), parser=""))
    metrics = ask(service, "/metrics")[1]
    assert 'crossarc_requests_total{path="/process",status="200"}' in metrics
    assert 'crossarc_words_total{model="small"}' in metrics
    entries = [json.loads(line) for line in service.log.read_text().splitlines()[1:]]
    entry = next(node for node in reversed(entries) if node.get("path") == "/process")
    assert {**entry, "time": "", "ms": 0} == {
        "time": "", "level": "info", "message": "request", "client": "127.0.0.1", "path": "/process",
        "status": 200, "ms": 0, "model": "small", "sentences": 2, "words": sum(map(len, sentences_of(conllu(9, 2)))),
    }  # fmt: skip


@pytest.fixture(scope="module")
def other(service, tmp_path_factory):
    """A service without compiled code, at an IPv6 address if possible."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        host = "::1"
    except OSError:
        host = "127.0.0.1"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CROSSARC_KERNEL", "numpy")
        log = tmp_path_factory.mktemp("other") / "log"
        with running(service.model, log, "--limit", "seconds=4", "--host", host) as started:
            patch.undo()
            yield started


def test_processes_that_hang_are_replaced(other):
    body = form(data=without_trees(conllu(9, 2)), parser="")
    children = Path(f"/proc/{other.process.pid}/task/{other.process.pid}/children")
    if not children.exists():
        pytest.skip("this system does not say which processes belong to a process")
    below = [Path(f"/proc/{pid}/task/{pid}/children") for pid in children.read_text().split()]
    for path in below:
        for pid in path.read_text().split():
            os.kill(int(pid), signal.SIGSTOP)
    assert ask(other, "/process", body)[0] == 408
    assert ask(other, "/process", body)[0] == 200


def test_a_terminated_service_answers_requests_in_progress(other):
    """Most of the request is sent after the signal."""
    assert ask(other, "/health")[0] == 200
    body = form(data=without_trees(conllu(5, 2)), parser="")
    with socket.create_connection((urllib.parse.urlsplit(other.address).hostname, other.port), 30) as client:
        client.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body[:10])
        time.sleep(0.3)
        other.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        client.sendall(body[10:])
        assert client.recv(1000).startswith(b"HTTP/1.1 200 ")
    assert other.process.wait(30) == 0


def test_user_errors_on_the_command_line_are_reported(service, capsys):
    assert run("serve", service.model, service.model) == 1
    expected = [f"{service.model}: a second model called small; give it another name, NAME={service.model}"]
    addresses = [("127.0.0.1", "127.0.0.1", socket.AF_INET), ("::1", "[::1]", socket.AF_INET6)]
    for host, shown, family in addresses if socket.has_dualstack_ipv6() else addresses[:1]:
        with socket.create_server((host, 0), family=family) as taken:
            port = taken.getsockname()[1]
            assert run("serve", service.model, "--host", host, "--port", port) == 1
            expected.append(f"{shown}:{port}: cannot listen: Address already in use")
    assert capsys.readouterr().err.splitlines() == [f"crossarc: {line}" for line in expected]


def connected(port, sent):
    client = socket.create_connection(("127.0.0.1", port), 30)
    client.sendall(sent)
    return client


def test_more_connections_than_files_do_not_stop_the_service(service, tmp_path):
    """asyncio stops accepting connections for a second when no file is left for one, and reports it."""
    resource = pytest.importorskip("resource")
    limit = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (256, 256))
    with running(service.model, tmp_path / "log", "--limit", "seconds=20", limit=limit) as limited:
        for sent in (b"", HEAD + b"Content-Length: 1000\r\n\r\ndata="):
            with ExitStack() as stack, ThreadPoolExecutor(100) as threads:
                for client in threads.map(partial(connected, limited.port), [sent] * 300):
                    stack.enter_context(client)
                started = time.monotonic()
                assert ask(limited, "/health")[0] == 200
                assert time.monotonic() - started < 5
        assert "out of system resource" not in (tmp_path / "log").read_text()


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no SIGHUP")
def test_models_are_upgraded_without_a_gap(service, tmp_path):
    """Every request before, during and after gets an answer, at first from the old model."""
    model = tmp_path / "m.model"
    model.write_bytes(service.model.read_bytes())
    text = conllu(1, 1)
    with running(model, tmp_path / "log") as started:
        old = answered(started, "/models")["models"]["m"]
        (tmp_path / "new").write_bytes(service.model.with_name(TAGGED).read_bytes())
        (tmp_path / "new").replace(model)
        started.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + 60
        while answered(started, "/models")["models"]["m"] == old and time.monotonic() < end:
            assert answered(started, "/process", form(data=text, parser=""))["result"]
        assert answered(started, "/models")["models"]["m"] == ["tagger", *old]
        assert 'crossarc_processes_total{model="m",reason="upgrade"} 1.0' in ask(started, "/metrics")[1]
        model.write_bytes(b"no model")
        started.process.send_signal(signal.SIGHUP)
        while "not loaded" not in started.log.read_text() and time.monotonic() < end:
            assert answered(started, "/process", form(data=text, parser=""))["result"]
        assert answered(started, "/ready") == {"status": "ready", "compiling": []}
    assert "m.model" in [line for line in started.log.read_text().splitlines() if "not loaded" in line][-1]


@needs("raw_text")
def test_a_large_request_in_batches_has_the_answer_of_one_at_once(service, raw, tmp_path):
    """A batch ends after the sentence that reaches its limit, in words as in raw text."""
    words = form(data=conllu(1, 12), parser="")
    text = form(data="\n\n".join(["Der Hund bellt. Die Katze schläft."] * 12), tokenizer="", parser="")
    with running(service.model, tmp_path / "log", "--limit", "batch=7", others=[raw.model]) as small:
        for large, path, body in ((service, "/process", words), (raw, "/process?model=raw", text)):
            assert answered(small, path, body)["result"] == answered(large, path, body)["result"]
