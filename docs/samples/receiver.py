import hashlib, hmac, json, os, re, threading, urllib.request
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SERVICE_URL, API_KEY = os.environ.get("SERVICE_URL"), os.environ.get("API_KEY")
SECRETS = [secret.strip() for secret in os.environ.get("WEBHOOK_SECRETS", "").split(",")]
if not SERVICE_URL or not API_KEY:
    raise SystemExit("Set SERVICE_URL and API_KEY")
if not all(re.fullmatch(r"whsec_[\w-]+", secret) for secret in SECRETS):
    raise SystemExit("Set WEBHOOK_SECRETS to webhook secrets, separated by commas, without quotes")
stored = set()  # In production: a table with a unique key.


def receive(raw_body: bytes, signature: str) -> int:
    """Stores an authentic event, once. Returns the status to respond with at once."""
    if not is_signed(raw_body, signature):
        return 401
    try:
        message = json.loads(raw_body)
    except ValueError:
        return 400
    age = datetime.now(timezone.utc) - datetime.fromisoformat(message["timestamp"].replace("Z", "+00:00"))
    if message["event"] == "verification.completed" and age < timedelta(hours=24):
        verification_id = message["data"]["verificationId"]
        if verification_id not in stored:
            stored.add(verification_id)
            threading.Thread(target=decide, args=[verification_id]).start()  # In production: a job that is retried.
    return 204


def is_signed(raw_body: bytes, signature: str) -> bool:
    given = signature.lower().encode("utf-8", "replace")
    digests = [hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest() for secret in SECRETS]
    return any([hmac.compare_digest(digest.encode(), given) for digest in digests])


def decide(verification_id: str) -> None:
    """Approved does not mean 18 or over: only over18 decides."""
    request = urllib.request.Request(f"{SERVICE_URL}/verify/status?verificationId={verification_id}")
    request.add_header("x-tenant-api-key", API_KEY)
    with urllib.request.build_opener(NoRedirects).open(request) as response:
        result = json.load(response)
    if result["verificationId"] != verification_id:
        raise ValueError("Not an answer about this verification")
    decision = "admit" if result["over18"] is True else "refuse"
    print(f"{verification_id} {decision}", flush=True)


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        """It would take the key elsewhere."""


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(receive(self.read_body(), self.headers.get("X-Webhook-Signature", "")))
        self.end_headers()

    def read_body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        chunks = []
        while not chunks or chunks[-1]:
            size = int(self.rfile.readline().split(b";")[0], 16)
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        return b"".join(chunks)


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
