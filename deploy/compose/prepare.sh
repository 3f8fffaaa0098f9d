#!/bin/sh
# Writes the settings and secrets of compose.yaml, once:
#
#   compose/prepare.sh verify.example https://sign-in.example [AUDIENCE [CLIENT_ID]]
#
# At the sign-in provider, register the public client CLIENT_ID (dashboard) with the redirect URI
# https://verify.example/dashboard/sign-in/callback, and AUDIENCE (https://verify.example/console) for its access tokens.
set -eu
cd "$(dirname "$0")"
[ $# -ge 2 ] || { echo "usage: $0 HOST ISSUER [AUDIENCE [CLIENT_ID]]" >&2; exit 1; }
host=$1 issuer=$2 audience=${3:-https://$1/console} client=${4:-dashboard}
[ ! -e secrets ] || { echo "$PWD/secrets exists; its passwords are those of the volumes" >&2; exit 1; }
discovered=$(curl -sSf "${issuer%/}/.well-known/openid-configuration" | tr -d ' \\\n')
case $discovered in
  *"\"issuer\":\"$issuer\""*) ;;
  *) echo "$issuer is not exactly the issuer that its discovery document names" >&2; exit 1 ;;
esac

# Containers read the files as their own users, so the folder protects them.
umask 022
mkdir -m 700 secrets
password() { openssl rand -hex 24; }
write() { printf %s "$2" >"secrets/$1"; }

write postgres-password "$(password)"
write owner-password "$(password)"
write service-password "$(password)"
write redis-password "$(password)"
write encryption-key "$(openssl rand -base64 32)"
# Without TLS: the network that leads to PostgreSQL and Redis is inside this machine.
write migration-database-url "postgres://verification_owner:$(cat secrets/owner-password)@postgres/verification?sslmode=disable"
write database-url "postgres://verification:$(cat secrets/service-password)@postgres/verification?sslmode=disable"
write redis-url "redis://verification:$(cat secrets/redis-password)@redis"
write veriff-api-key ''
write veriff-shared-secret ''
cat >../.env <<SETTINGS
VERIFY_HOST=$host
OIDC_ISSUER=$issuer
OIDC_AUDIENCE=$audience
OIDC_CLIENT_ID=$client
SETTINGS

echo "Write the credentials of your Veriff integration to $PWD/secrets/veriff-api-key and veriff-shared-secret."
echo "Back up $PWD/secrets/encryption-key: without it the database's secrets are lost."
