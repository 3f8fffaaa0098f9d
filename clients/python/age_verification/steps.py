"""A call is a generator of steps, requests and pauses, which the clients for threads and for asyncio run alike."""

from __future__ import annotations

import asyncio
import time
from contextlib import closing
from dataclasses import dataclass
from typing import Dict, Generator, Optional, TypeVar, Union

import httpx

from .errors import ServiceConnectionError


@dataclass(frozen=True)
class HttpRequest:
    """The arguments of httpx. A followed redirect would pass the API key on to another host."""

    method: str
    url: str
    headers: Dict[str, str]
    timeout: float
    content: Optional[bytes] = None
    follow_redirects: bool = False


T = TypeVar("T")
Step = Union[HttpRequest, float]
Answer = Union[httpx.Response, httpx.HTTPError, None]
# Yields a request, whose answer is sent to it, or a pause in seconds.
Steps = Generator[Step, Answer, T]

# Requests that wait keep their connections, so that any number of them may be open.
connection_limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)


def run(steps: Steps[T], http: httpx.Client) -> T:
    answer: Answer = None
    with closing(steps):
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            answer = None
            try:
                if isinstance(step, HttpRequest):
                    answer = http.request(**vars(step))
                else:
                    time.sleep(step)
            except httpx.HTTPError as error:
                answer = error


async def run_async(steps: Steps[T], http: httpx.AsyncClient) -> T:
    answer: Answer = None
    with closing(steps):
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            answer = None
            try:
                if isinstance(step, HttpRequest):
                    answer = await http.request(**vars(step))
                else:
                    await asyncio.sleep(step)
            except httpx.HTTPError as error:
                answer = error


def to_response(answer: Answer, timeout: float) -> httpx.Response:
    """Raise a `ServiceConnectionError` without httpx's own, which has the API key in its request."""
    if isinstance(answer, httpx.Response):
        return answer
    if isinstance(answer, httpx.TimeoutException):
        raise ServiceConnectionError("timeout", f"No response within {timeout:g} s.")
    raise ServiceConnectionError("network", f"The service could not be reached: {answer!r}")
