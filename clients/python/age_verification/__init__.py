"""A client of the Age Verification Service. `approved` does not mean 18 or over: admit on `over18`."""

from .client import AsyncClient, Client
from .errors import (
    AgeVerificationError,
    ChangesMissedError,
    CompletionTimeoutError,
    ServiceConnectionError,
    WebhookVerificationError,
)
from .hooks import RequestEvent, ResponseEvent
from .results import (
    RateLimit,
    ResponseInfo,
    StartedVerification,
    Status,
    TokenValidation,
    VerificationChange,
    VerificationResult,
)
from .retry_policy import RetryOptions
from .version import VERSION as __version__
from .webhook import SignedEvent, WebhookEvent, sign_test_event, verify_webhook

__all__ = [
    "AgeVerificationError",
    "AsyncClient",
    "ChangesMissedError",
    "Client",
    "CompletionTimeoutError",
    "RateLimit",
    "RequestEvent",
    "ResponseEvent",
    "ResponseInfo",
    "RetryOptions",
    "ServiceConnectionError",
    "SignedEvent",
    "StartedVerification",
    "Status",
    "TokenValidation",
    "VerificationChange",
    "VerificationResult",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "sign_test_event",
    "verify_webhook",
]
