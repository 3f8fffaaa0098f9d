import os
from age_verification import Client

client = Client(os.environ["SERVICE_URL"], os.environ["API_KEY"])

verification = client.start()
print(f"Redirect your user to {verification.session_url}", flush=True)

result = client.wait_for_completion(verification.verification_id)
print("Welcome" if result.over18 else "You must be 18 or over")

validation = client.validate_token(result.token or "")  # At any later time.
print("Welcome back" if validation.valid else f"Not valid: {validation.reason}")
