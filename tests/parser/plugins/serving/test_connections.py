"""Connections: clients that do not read, and connections without requests, do not hold the service."""

import asyncio

import pytest
import uvicorn
from crossarc.parser.plugins.serving.connections import LEAST_READ, BoundedProtocol, allowed_files, shares
from uvicorn.server import ServerState


class Transport(asyncio.Transport):
    """A connection whose client reads ``speed`` bytes each time that the server looks."""

    def __init__(self, speed=0):
        super().__init__()
        self.unread, self.speed = 100 * LEAST_READ, speed
        self.aborted = self.closed = False

    def get_write_buffer_size(self):
        self.unread -= self.speed
        return self.unread

    def abort(self):
        self.aborted = True

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed

    def write(self, data):
        pass


async def answer(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


def connections(number, act, speed=0):
    """The transports of connections after 0.2 s, ten times the time limit; ``act`` is called when all are open."""

    async def run():
        idle = {}
        config = uvicorn.Config(answer, log_config=None)
        config.load()
        transports = [Transport(speed) for _ in range(number)]
        made = []
        for transport in transports:
            options = {"config": config, "server_state": ServerState(), "app_state": {}}
            made.append(BoundedProtocol(0.02, idle, 2, **options))
            made[-1].connection_made(transport)
        act(made)
        await asyncio.sleep(0.2)
        before = [connection.closed for connection in transports]
        for connection in made:
            connection.connection_lost(None)  # which closes the transport
        for connection, closed in zip(transports, before, strict=True):
            connection.closed = closed
        assert not idle
        return transports

    return asyncio.run(run())


@pytest.mark.parametrize(("speed", "aborted"), [(0, True), (LEAST_READ - 1, True), (LEAST_READ, False)])
def test_clients_that_do_not_read_are_cut_off(speed, aborted):
    [transport] = connections(1, lambda made: made[0].pause_writing(), speed)
    assert transport.aborted == aborted


def test_clients_that_have_read_all_are_kept():
    def act(made):
        made[0].pause_writing()
        made[0].resume_writing()

    [transport] = connections(1, act)
    assert not transport.aborted


def test_the_oldest_connection_without_a_request_gives_way():
    closed = []

    def act(made):
        closed.extend(connection.transport.closed for connection in made)

    connections(4, act)
    assert closed == [True, True, False, False]


def test_a_connection_is_idle_again_after_its_answer():
    def act(made):
        for connection in made:
            connection.data_received(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")

    assert [connection.closed for connection in connections(4, act)] == [True, True, False, False]


@pytest.mark.parametrize("files", [64, 256, 1024, 10_240])
def test_connections_leave_files_for_models(files):
    assert min(shares(files)) >= 4
    assert sum(shares(files)) <= files - 8


def test_the_limit_of_files_is_raised():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        assert allowed_files() == resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 256
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
