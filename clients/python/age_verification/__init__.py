"""Webhooks and validation of the Age Verification Service, with the standard library only."""

from .client import Client, TokenValidation, VerificationResult
from .errors import AgeVerificationError, ServiceConnectionError, WebhookVerificationError
from .read_body import read_body
from .webhook import WebhookEvent, verify_webhook

__all__ = [
    "AgeVerificationError",
    "Client",
    "ServiceConnectionError",
    "TokenValidation",
    "VerificationResult",
    "WebhookEvent",
    "WebhookVerificationError",
    "read_body",
    "verify_webhook",
]
