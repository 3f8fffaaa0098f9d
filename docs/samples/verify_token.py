import base64, os, re, urllib.request, zlib
import jwt

SERVICE_URL, TENANT_ID = os.environ["SERVICE_URL"], os.environ["TENANT_ID"]
keys = jwt.PyJWKClient(f"{SERVICE_URL}/.well-known/jwks.json")


def read_claims(token: str, typ: str, required: list, **expected) -> dict:
    key = keys.get_signing_key_from_jwt(token).key
    options = {"require": ["exp", "iss", *required]}
    claims = jwt.decode(token, key, algorithms=["ES256"], issuer=SERVICE_URL, options=options, **expected)
    # PyJWT accepts any type, and an expiry that is a text.
    if jwt.get_unverified_header(token).get("typ") != typ or not isinstance(claims["exp"], int):
        raise jwt.InvalidTokenError(f"The token is not of the type {typ}")
    return claims


def is_adult(token: str) -> bool:
    # As the service spells it: PyJWT ignores padding and the last 4 bits.
    if not re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]", token, re.ASCII):
        raise jwt.InvalidTokenError("The token is malformed")
    claims = read_claims(token, "JWT", ["aud", "status"], audience=TENANT_ID)
    return claims.get("over18") is True and not is_revoked(**claims["status"]["status_list"])


def is_revoked(idx: int, uri: str) -> bool:
    """In production, keep each list for its ttl."""
    with urllib.request.urlopen(uri) as response:
        claims = read_claims(response.read().decode(), "statuslist+jwt", ["sub", "status_list"])
    if claims["sub"] != uri:
        raise jwt.InvalidTokenError("The list is another one")
    encoded = claims["status_list"]["lst"]
    bits = zlib.decompress(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))
    if not 0 <= idx < len(bits) * 8:
        raise jwt.InvalidTokenError(f"The list has no index {idx}")
    return bits[idx >> 3] >> (idx & 7) & 1 == 1
