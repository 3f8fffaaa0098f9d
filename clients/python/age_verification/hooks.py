"""What an application learns of each attempt, for logs, metrics and traces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional

from .results import ResponseInfo


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
    """Called with each attempt. What they raise, the call raises."""

    on_request: Optional[Callable[[RequestEvent], None]] = None
    on_response: Optional[Callable[[ResponseEvent], None]] = None
