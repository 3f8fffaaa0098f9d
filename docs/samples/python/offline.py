import os
from age_verification.offline import TokenVerifier

# Of a test tenant, whose keys begin with avk_test_, the issuer is os.environ["SERVICE_URL"] + "/test".
tokens = TokenVerifier(os.environ["SERVICE_URL"])
validation = tokens.verify(os.environ["TOKEN"], audience=os.environ["TENANT_ID"])
print("admit" if validation.valid else f"refuse: {validation.reason}")
