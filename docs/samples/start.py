import json
import os
from urllib.request import Request, urlopen

request = Request(
    os.environ["SERVICE_URL"] + "/verify/start",
    data=b"{}",
    headers={"content-type": "application/json"},
)
request.add_unredirected_header("x-tenant-api-key", os.environ["API_KEY"])
with urlopen(request) as response:
    result = json.load(response)
print(result["verificationId"], result["sessionUrl"])
