import os
from age_verification import Client

client = Client(os.environ["SERVICE_URL"], os.environ["API_KEY"])
validation = client.validate_token(os.environ["TOKEN"])
print("admit" if validation.valid else f"refuse: {validation.reason}")
