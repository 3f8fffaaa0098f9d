#!/bin/sh
# Writes the settings and secrets of compose.yaml, once: compose/prepare.sh verify.example sign-in.example
set -eu
cd "$(dirname "$0")"
[ $# -eq 2 ] || { echo "usage: $0 HOST-OF-THE-SERVICE HOST-OF-THE-SIGN-IN-PROVIDER" >&2; exit 1; }
[ ! -e secrets ] || { echo "$PWD/secrets exists; its passwords are those of the volumes" >&2; exit 1; }

# Containers read the files as their own users, so the folder protects them.
umask 022
mkdir -m 700 secrets
password() { openssl rand -hex 24; }
write() { printf %s "$2" >"secrets/$1"; }

write postgres-password "$(password)"
write owner-password "$(password)"
write service-password "$(password)"
write keycloak-database-password "$(password)"
write redis-password "$(password)"
write encryption-key "$(openssl rand -base64 32)"
# Without TLS: the network that leads to PostgreSQL and Redis is inside this machine.
write migration-database-url "postgres://verification_owner:$(cat secrets/owner-password)@postgres/verification?sslmode=disable"
write database-url "postgres://verification:$(cat secrets/service-password)@postgres/verification?sslmode=disable"
write redis-url "redis://verification:$(cat secrets/redis-password)@redis"
write veriff-api-key ''
write veriff-shared-secret ''
cat >secrets/keycloak.env <<KEYCLOAK
KC_DB_PASSWORD=$(cat secrets/keycloak-database-password)
KC_BOOTSTRAP_ADMIN_PASSWORD=$(password)
KEYCLOAK
printf 'VERIFY_HOST=%s\nSIGN_IN_HOST=%s\n' "$1" "$2" >../.env

echo "Write the credentials of your Veriff integration to $PWD/secrets/veriff-api-key and veriff-shared-secret."
echo "Back up $PWD/secrets/encryption-key: without it the database's secrets are lost."
