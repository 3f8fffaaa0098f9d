"""Calls the client's methods as standard input says, and prints their results or errors, as JSON.

Input: {"baseUrl", "apiKey", "calls": [[method, argument], …]}
"""

import dataclasses
import json
import sys

from age_verification import AgeVerificationError, Client, ServiceConnectionError


def outcome_of(client, method, argument):
    try:
        return dataclasses.asdict(getattr(client, method)(argument))
    except (AgeVerificationError, ServiceConnectionError) as error:
        return {"error": type(error).__name__, "message": str(error), **vars(error)}


given = json.load(sys.stdin)
client = Client(given["baseUrl"], given["apiKey"], timeout=given.get("timeout", 15), retries=given.get("retries", 2))
json.dump([outcome_of(client, *call) for call in given["calls"]], sys.stdout)
