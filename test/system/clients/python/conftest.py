"""What the tests of the client have in common: both kinds of clients, the test vectors, the errors to expect."""

import asyncio
import inspect
import json
import os
import re
import threading
import traceback
from contextlib import contextmanager
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import httpx
import pytest
from age_verification import AsyncClient, Client
from age_verification.offline import AsyncTokenVerifier, TokenVerifier

URL, API_KEY = "https://verify.example", "avk_none"
Vector = Dict[str, Any]

# Has a test run with each of the vectors, by its name.
for_each = partial(pytest.mark.parametrize, "vector", ids=itemgetter("name"))

# What `python.test.ts` says of the service that runs meanwhile, and vectors that are in no file.
prepared: Any = json.loads(Path(os.environ["PREPARED"]).read_text("utf-8"))

loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()


class Blocking:
    """An object for asyncio, with methods that return when they are done, in any thread."""

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def __getattr__(self, name: str) -> Callable[..., Any]:
        async def call(*args: Any, **options: Any) -> Any:
            returned = getattr(self._wrapped, "aclose" if name == "close" else name)(*args, **options)
            return [each async for each in returned] if inspect.isasyncgen(returned) else await returned

        return lambda *args, **options: asyncio.run_coroutine_threadsafe(call(*args, **options), loop).result()


@pytest.fixture(params=["threads", "asyncio"])
def make(request: Any) -> Callable[..., Any]:
    """Make a `Client` or a `TokenVerifier`, or the one for asyncio. `respond` is in the place of the service."""
    async_kinds = {Client: AsyncClient, TokenVerifier: AsyncTokenVerifier}

    def make(kind: Any, *args: Any, respond: Any = None, **options: Any) -> Any:
        if request.param == "threads":
            http_client = respond and httpx.Client(transport=httpx.MockTransport(respond), follow_redirects=True)
            return kind(*args, http_client=http_client, **options)
        transport = httpx.MockTransport(partial(asyncio.to_thread, respond))
        http_client = respond and httpx.AsyncClient(transport=transport, follow_redirects=True)
        return Blocking(async_kinds[kind](*args, http_client=http_client, **options))

    return make


def read_vectors(name: str) -> List[Vector]:
    return json.loads(Path("clients/test-vectors", f"{name}.json").read_text("utf-8"))["vectors"]


def to_snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


@contextmanager
def raises(kind: type, message: str = "", **attributes: Any) -> Iterator[Any]:
    """Expect an error with these attributes, and without a key or a secret in what a log has of it."""
    with pytest.raises(kind, match=message) as raised:
        yield raised
    assert not re.search("avk_|whsec_", "".join(traceback.format_exception(raised.value)))
    assert {name: getattr(raised.value, name) for name in attributes} == attributes
