"""What an application learns of each attempt, for logs, metrics and traces."""

from __future__ import annotations

import asyncio
import inspect
import logging
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Optional

from .results import ResponseInfo

_logger = logging.getLogger("age_verification")

# How long a coroutine of a hook is awaited. A backend of metrics that hangs must not hold a user up.
_SECONDS_MAX = 1


@dataclass(frozen=True)
class RequestEvent:
    """An attempt of a request; the first one is 1. Without headers and body, which have secrets and data of people."""

    method: str
    path: str
    attempt: int


@dataclass(frozen=True)
class ResponseEvent(RequestEvent):
    """How an attempt ended, after `duration` seconds.

    `response` is None if the service did not respond. The call raises `error`, unless it is tried again. Both are None if
    the call was cancelled.
    """

    duration: float
    response: Optional[ResponseInfo]
    error: Optional[Exception]


@dataclass(frozen=True)
class Hooks:
    """Called with each attempt."""

    on_request: Optional[Callable[[RequestEvent], object]] = None
    on_response: Optional[Callable[[ResponseEvent], object]] = None


@dataclass(frozen=True)
class HookCall:
    """A call of a hook. What the hook raises is logged and changes nothing, as the caller's result is not its own."""

    name: str
    hook: Callable[[Any], object]
    argument: Any

    def run(self) -> None:
        try:
            returned = self.hook(self.argument)
            if inspect.isawaitable(returned):
                if inspect.iscoroutine(returned):
                    returned.close()
                raise TypeError(f"{self.name} is a coroutine function, which only an AsyncClient awaits")
        except Exception:
            self._log_failure()

    async def run_async(self) -> None:
        try:
            returned = self.hook(self.argument)
            if inspect.isawaitable(returned):
                await _settle(returned)
        except Exception:
            self._log_failure()

    def _log_failure(self) -> None:
        _logger.exception("%s has failed", self.name)


async def _settle(returned: Awaitable[object]) -> None:
    """Await it as a task of its own, which can be cancelled, or ignore that, without the caller's task.

    Raise what it raises, or a `TimeoutError`.
    """
    task = asyncio.ensure_future(returned)
    try:
        await asyncio.wait([task], timeout=_SECONDS_MAX)
    finally:
        is_late = task.cancel()
    if is_late:
        raise asyncio.TimeoutError
    if task.cancelled():
        raise RuntimeError("It was cancelled.")
    task.result()
