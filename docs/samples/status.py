import json
import os
from urllib.request import Request, urlopen

request = Request(
    os.environ["SERVICE_URL"] + "/verify/status?verificationId=" + os.environ["VERIFICATION_ID"]
)
request.add_unredirected_header("x-tenant-api-key", os.environ["API_KEY"])
with urlopen(request) as response:
    result = json.load(response)
if result["verificationId"] != os.environ["VERIFICATION_ID"]:
    raise SystemExit("Not an answer about this verification")
print(result["status"], result.get("over18"), result.get("token"))
