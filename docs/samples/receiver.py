import hashlib, hmac, json, os, threading, urllib.request
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SERVICE_URL, API_KEY = os.environ["SERVICE_URL"], os.environ["API_KEY"]
SECRETS = os.environ["WEBHOOK_SECRETS"].split(",")
processed = set()  # In production: a unique key in your database.


def is_signed(raw_body: bytes, signature: str) -> bool:
    given = signature.lower().encode("utf-8", "replace")
    digests = [hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest() for secret in SECRETS]
    return any([hmac.compare_digest(digest.encode(), given) for digest in digests])


def decide(verification_id: str) -> None:
    """Approved does not mean 18 or over: only over18 decides."""
    request = urllib.request.Request(f"{SERVICE_URL}/verify/status?verificationId={verification_id}")
    request.add_header("x-tenant-api-key", API_KEY)
    with urllib.request.urlopen(request) as response:
        result = json.load(response)
    print(verification_id, result["status"], "admit" if result["over18"] is True else "refuse", flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        signed = is_signed(raw_body, self.headers.get("X-Webhook-Signature", ""))
        self.send_response(204 if signed else 401)
        self.end_headers()
        if signed:
            self.process(json.loads(raw_body))

    def process(self, event):
        age = datetime.now(timezone.utc) - datetime.fromisoformat(event["timestamp"].replace("Z", "+00:00"))
        verification_id = event["data"]["verificationId"]
        if age < timedelta(hours=24) and verification_id not in processed:
            processed.add(verification_id)
            threading.Thread(target=decide, args=[verification_id]).start()  # In production: a job that is retried.


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
