"""The service answers as the client of the wheel expects, and as the samples of the README do."""

import importlib.metadata
import json
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any, Iterator

import age_verification
import httpx
import pytest
from age_verification import AgeVerificationError, Client, TokenValidation, VerificationResult

from conftest import prepared, raises, read_vectors


@pytest.fixture
def client(make: Any) -> Iterator[Client]:
    client = make(Client, prepared["serviceUrl"], prepared["apiKey"])
    yield client
    client.close()


def test_a_start_is_made_once_for_an_idempotency_key_and_nobody_is_an_adult_before_the_decision(client: Client) -> None:
    user = {"ip": "203.0.113.7", "user_agent": "Mozilla/5.0"}
    key = str(uuid.uuid4())
    first, again = [client.start(**user, idempotency_key=key) for _ in range(2)]
    assert (first.status, first.provider, first.session_url[:4]) == ("started", "veriff", "http")
    assert again == first
    assert client.start(**user).verification_id != first.verification_id
    assert [first.last_response.replayed, again.last_response.replayed] == [False, True]
    assert uuid.UUID(again.last_response.request_id)
    assert again.last_response.rate_limit and again.last_response.rate_limit.limit > 0
    for found in [client.status(first.verification_id), client.submit(first.verification_id)]:
        assert (found.status, found.over18, found.completed_at, found.token) == ("pending", None, None, None)


def test_an_approved_minor_is_no_adult_and_a_revoked_token_admits_nobody(client: Client) -> None:
    _, sent, sent_revoked = prepared["completed"]
    minor, adult, revoked = [client.status(each["verificationId"]) for each in prepared["completed"]]
    assert (minor.status, minor.over18) == ("approved", False)
    names = ["verificationId", "status", "confidence", "createdAt", "completedAt", "over18", "token"]
    assert adult == VerificationResult(*[sent[name] for name in names]) and adult.over18 is True
    assert (revoked.over18, revoked.token) == (None, None)
    assert revoked.token_revoked_at == sent_revoked["tokenRevokedAt"] is not None
    assert client.validate_token(adult.token or "") == TokenValidation(True, True, "OK")
    assert client.validate_token(minor.token or "") == TokenValidation(False, False, "UNDERAGE_OR_UNKNOWN")
    assert client.validate_token("no token") == TokenValidation(False, False, "TOKEN_NOT_FOUND")


def test_changes_are_iterated_over_to_the_last_one_each_with_the_cursor_to_go_on_with(client: Client) -> None:
    changes = list(client.changes(follow=False))
    completed = [each["verificationId"] for each in prepared["completed"]]
    assert [change.verification_id for change in changes[:3]] == completed
    minor = changes[0]
    assert (minor.status, minor.over18, minor.token, minor.cursor) == ("approved", False, None, "")
    assert minor.updated_at == minor.completed_at
    assert list(client.changes(changes[1].cursor, follow=False)) == changes
    assert list(client.changes(changes[-1].cursor, follow=False)) == []


def test_errors_of_the_service_have_their_details(client: Client) -> None:
    with raises(AgeVerificationError, code="INVALID_PARAMETERS", status=400) as raised:
        client.status("not-an-id")
    assert raised.value.details["issues"][0]["path"] == "verificationId"
    assert uuid.UUID(raised.value.request_id)


def run_sample(name: str, folder: Path = Path(), **env: str) -> Any:
    given = {"SERVICE_URL": prepared["serviceUrl"], "API_KEY": prepared["apiKey"], "TENANT_ID": prepared["tenantId"]}
    command = [sys.executable, Path("docs/samples/python", name).resolve()]
    return subprocess.Popen(command, env={**given, **env}, cwd=folder, stdout=subprocess.PIPE, text=True)


def test_the_samples_of_the_readme_admit_an_adult(tmp_path: Path) -> None:
    with run_sample("verify_age.py") as verifying:
        assert verifying.stdout.readline().startswith("Redirect your user to http")
        sessions = f"{prepared['veriffUrl']}/control/sessions"
        newest = httpx.get(sessions).json()["sessions"][-1]
        httpx.post(f"{sessions}/{newest['vendorData']}/decide", json={"outcome": "approve-adult"}).raise_for_status()
        assert verifying.stdout.read() == "Welcome\nWelcome back\n"
    vector = read_vectors("evidence")[0]
    (tmp_path / "evidence.jwt").write_text(vector["jws"] + "\n")
    (tmp_path / "jwks.json").write_text(json.dumps(vector["jwks"]))
    for name, env, output in [
        ("offline.py", {"TOKEN": prepared["completed"][1]["token"]}, "admit\n"),
        ("offline.py", {"TOKEN": "no token"}, "refuse: TOKEN_MALFORMED\n"),
        ("evidence.py", {"SERVICE_URL": vector["issuer"], "TENANT_ID": vector["audience"]}, "2026-11: 80 approved\n"),
    ]:
        with run_sample(name, tmp_path, **env) as verifying:
            assert verifying.stdout.read() == output


def test_the_wheel_has_its_types_its_version_its_license_and_its_requirements() -> None:
    package = Path(age_verification.__file__).parent
    assert package.is_relative_to(sys.prefix) and (package / "py.typed").is_file()
    installed = importlib.metadata.distribution("age-verification")
    assert installed.version == age_verification.__version__ and installed.read_text("LICENSE")
    assert installed.requires == ["httpx>=0.23", 'pyjwt[crypto]>=2.6; extra == "offline"']
