"""What requests say about the program that sent them."""

VERSION = "1.0.0"
USER_AGENT = f"age-verification-python/{VERSION}"
