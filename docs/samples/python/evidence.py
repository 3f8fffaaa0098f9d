import json, os
from pathlib import Path
from age_verification.offline import verify_evidence

evidence, jwks = [Path(file).read_text() for file in ("evidence.jwt", "jwks.json")]
kept = {"issuer": os.environ["SERVICE_URL"], "audience": os.environ["TENANT_ID"], "jwks": json.loads(jwks)}
found = verify_evidence(evidence.strip(), **kept)
if found.claims:
    print(f"{found.claims['month']}: {found.claims['counts']['approved']} approved")
else:
    print(f"not authentic: {found.reason}")
