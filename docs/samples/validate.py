import json
import os
from urllib.request import Request, urlopen

request = Request(
    os.environ["SERVICE_URL"] + "/tokens/validate",
    data=json.dumps({"token": os.environ["TOKEN"]}).encode(),
    headers={"content-type": "application/json"},
)
request.add_unredirected_header("x-tenant-api-key", os.environ["API_KEY"])
with urlopen(request) as response:
    result = json.load(response)
print(result["valid"], result["reason"])
