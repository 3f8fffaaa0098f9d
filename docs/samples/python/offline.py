import os
from age_verification.offline import TokenVerifier

tokens = TokenVerifier(os.environ["SERVICE_URL"])
validation = tokens.verify(os.environ["TOKEN"], audience=os.environ["TENANT_ID"])
print("admit" if validation.valid else f"refuse: {validation.reason}")
