"""The clients for threads and for asyncio, which have every call of the API as a method."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Coroutine, Iterator, Optional, TypeVar

import httpx

from .calls import Calls
from .hooks import Hooks, RequestEvent, ResponseEvent
from .results import VerificationChange
from .retry_policy import Retries
from .steps import Steps, connect, run, run_async
from .wait_for_status import cursor_behind

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")
T = TypeVar("T")


def _method(call: Callable[Concatenate[Calls, P], Steps[T]]) -> Callable[Concatenate[Client, P], T]:
    @functools.wraps(call)
    def method(client: Client, /, *args: P.args, **options: P.kwargs) -> T:
        return run(call(client._calls, *args, **options), client._connections.current())

    return method


def _async_method(
    call: Callable[Concatenate[Calls, P], Steps[T]],
) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]:
    @functools.wraps(call)
    async def method(client: AsyncClient, /, *args: P.args, **options: P.kwargs) -> T:
        return await run_async(call(client._calls, *args, **options), client._connections.current())

    return method


class Client:
    """Calls the tenant API. One client can be used by all threads, and after a fork by all processes.

    Every method raises `AgeVerificationError` if the service responds with an error, `ServiceConnectionError` if the
    service does not respond, and `ValueError` for an option that can't be used. Transient errors (5xx, the rate limit,
    a lost connection) are retried first. All times are in seconds; `timeout` is for each attempt. `on_request` and
    `on_response` are called with each attempt; what they raise is logged and changes nothing.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 15,
        retries: Retries = 2,
        on_request: Optional[Callable[[RequestEvent], None]] = None,
        on_response: Optional[Callable[[ResponseEvent], None]] = None,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._calls = Calls(base_url, api_key, timeout, retries, Hooks(on_request, on_response))
        self._connections = connect(http_client, httpx.Client)

    start = _method(Calls.start)
    status = _method(Calls.status)
    submit = _method(Calls.submit)
    validate_token = _method(Calls.validate_token)
    wait_for_completion = _method(Calls.wait_for_completion)
    wait_for_change = _method(Calls.wait_for_change)

    def changes(
        self, after: Optional[str] = None, *, follow: bool = True, polling_interval: float = 3
    ) -> Iterator[VerificationChange]:
        """Iterate over your verifications in the order in which they were completed or revoked.

        It begins behind the cursor of a change that you have handled, or with the oldest verification that is kept, and
        goes on through outages and rate limits, by long polling; without `follow` it ends where nothing is new. None is
        missed, however long you were away, or `ChangesMissedError` says that some were deleted.
        """
        cursor = after or ""
        while True:
            page = run(self._calls.next_changes(cursor, follow, polling_interval), self._connections.current())
            yield from page.items
            cursor = cursor_behind(page)
            if not page.items:
                return

    def close(self) -> None:
        """Close the connections."""
        self._connections.current().close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class AsyncClient:
    """`Client` for asyncio: the same methods, awaited, as are hooks; one event loop after the other can use it."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 15,
        retries: Retries = 2,
        on_request: Optional[Callable[[RequestEvent], object]] = None,
        on_response: Optional[Callable[[ResponseEvent], object]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._calls = Calls(base_url, api_key, timeout, retries, Hooks(on_request, on_response))
        self._connections = connect(http_client, httpx.AsyncClient)

    start = _async_method(Calls.start)
    status = _async_method(Calls.status)
    submit = _async_method(Calls.submit)
    validate_token = _async_method(Calls.validate_token)
    wait_for_completion = _async_method(Calls.wait_for_completion)
    wait_for_change = _async_method(Calls.wait_for_change)

    async def changes(
        self, after: Optional[str] = None, *, follow: bool = True, polling_interval: float = 3
    ) -> AsyncIterator[VerificationChange]:
        """`Client.changes` for `async for`."""
        cursor = after or ""
        while True:
            page = await run_async(self._calls.next_changes(cursor, follow, polling_interval), self._connections.current())
            for change in page.items:
                yield change
            cursor = cursor_behind(page)
            if not page.items:
                return

    async def aclose(self) -> None:
        """Close the connections."""
        await self._connections.current().aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.aclose()
