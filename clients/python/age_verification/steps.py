"""A call is a generator of steps: requests, pauses and hooks, which the clients for threads and for asyncio run alike."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import closing
from dataclasses import dataclass
from typing import Callable, Dict, Generator, Generic, Mapping, Optional, Tuple, TypeVar, Union

import httpx

from .errors import ServiceConnectionError
from .hooks import HookCall

# 1 MiB: a response of the API has at most 64 KiB, a status list 30 KiB, and 16 KiB once it is inflated.
BYTES_MAX = 2**20


@dataclass(frozen=True)
class HttpRequest:
    """The arguments of httpx. A followed redirect would pass the API key on to another host."""

    method: str
    url: str
    headers: Dict[str, str]
    timeout: float
    content: Optional[bytes] = None
    follow_redirects: bool = False


@dataclass(frozen=True)
class HttpResponse:
    """The names of `headers` match in any case. `content` is None if it is longer than any of the service."""

    status: int
    headers: Mapping[str, str]
    content: Optional[bytes]


T = TypeVar("T")
Step = Union[HttpRequest, HookCall, float]
Answer = Union[HttpResponse, Exception, None]
# Yields a request, whose answer is sent to it, a call of a hook, or a pause in seconds.
Steps = Generator[Step, Answer, T]

# Requests that wait keep their connections, so that any number of them may be open.
connection_limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)

C = TypeVar("C", httpx.Client, httpx.AsyncClient)


class PerProcess(Generic[T]):
    """What processes must not share after a fork, nor one event loop with the next: made again in each that uses it."""

    def __init__(
        self, make: Callable[[], T], per_loop: bool, first: Optional[T] = None, is_given: bool = False
    ) -> None:
        self._make = make
        self._per_loop = per_loop
        self._is_given = is_given
        self._made: Optional[Tuple[int, Optional[asyncio.AbstractEventLoop], T]] = None
        if first is not None:
            self._made = (os.getpid(), None, first)

    def current(self) -> T:
        loop = asyncio.get_running_loop() if self._per_loop else None
        kept = self._made
        if kept and kept[0] != os.getpid() and self._is_given:
            advice = "make it in each process, or pass none"
            raise ValueError(f"http_client was used before a fork, so it gets the answers of another process: {advice}")
        made = kept[2] if kept and kept[0] == os.getpid() and kept[1] in (None, loop) else self._make()
        self._made = (os.getpid(), loop, made)
        return made


def connect(given: Optional[C], kind: Callable[..., C]) -> PerProcess[C]:
    """Return the client that was given, or one of our own. Raise a `ValueError` that names variables that can't be used."""
    per_loop = kind is httpx.AsyncClient
    if given is not None:
        return PerProcess(lambda: given, per_loop, is_given=True)

    def make() -> C:
        try:
            return kind(limits=connection_limits)
        except (httpx.InvalidURL, ValueError, ImportError, OSError) as error:
            used = _CERTIFICATE_VARIABLES if isinstance(error, OSError) else _PROXY_VARIABLES
            names = [name for name in os.environ if name.lower() in used]
            if not names:
                raise
            advice = f"pass an http_client of yours, such as httpx.{kind.__name__}(trust_env=False)"
            raise ValueError(f"{', '.join(names)} can't be used ({error}): correct it, or {advice}") from None

    return PerProcess(make, per_loop, make())


_PROXY_VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
_CERTIFICATE_VARIABLES = ("ssl_cert_file", "ssl_cert_dir")

# Besides its own errors, httpx raises those of URLs, such as a proxy's Location, of sockets, and of what is closed.
_connection_errors = (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, RuntimeError)


def run(steps: Steps[T], http: httpx.Client) -> T:
    answer: Answer = None
    interruption: Optional[BaseException] = None
    with closing(steps):
        while True:
            try:
                step = steps.throw(interruption) if interruption else steps.send(answer)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            answer = interruption = None
            try:
                if isinstance(step, HttpRequest):
                    answer = _send(step, http)
                elif isinstance(step, HookCall):
                    step.run()
                else:
                    time.sleep(step)
            except BaseException as error:
                interruption = error


async def run_async(steps: Steps[T], http: httpx.AsyncClient) -> T:
    answer: Answer = None
    interruption: Optional[BaseException] = None
    with closing(steps):
        while True:
            try:
                step = steps.throw(interruption) if interruption else steps.send(answer)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            answer = interruption = None
            try:
                if isinstance(step, HttpRequest):
                    answer = await _send_async(step, http)
                elif isinstance(step, HookCall):
                    await step.run_async()
                else:
                    await asyncio.sleep(step)
            except BaseException as error:
                interruption = error


def _send(request: HttpRequest, http: httpx.Client) -> Answer:
    content = bytearray()
    try:
        with http.stream(**vars(request)) as response:
            for part in response.iter_bytes():
                content += part
                if len(content) > BYTES_MAX:
                    break
    except _connection_errors as error:
        return error
    return _to_http_response(response, content)


async def _send_async(request: HttpRequest, http: httpx.AsyncClient) -> Answer:
    content = bytearray()
    try:
        async with http.stream(**vars(request)) as response:
            async for part in response.aiter_bytes():
                content += part
                if len(content) > BYTES_MAX:
                    break
    except _connection_errors as error:
        return error
    return _to_http_response(response, content)


def _to_http_response(response: httpx.Response, content: bytearray) -> HttpResponse:
    is_whole = len(content) <= BYTES_MAX
    return HttpResponse(response.status_code, response.headers, bytes(content) if is_whole else None)


def to_response(answer: Answer, timeout: float) -> HttpResponse:
    """Raise a `ServiceConnectionError` without httpx's own, which has the API key in its request."""
    if isinstance(answer, HttpResponse):
        return answer
    if isinstance(answer, httpx.TimeoutException):
        raise ServiceConnectionError("timeout", f"No response within {timeout:g} s.")
    raise ServiceConnectionError("network", f"The service could not be reached: {answer!r}")
