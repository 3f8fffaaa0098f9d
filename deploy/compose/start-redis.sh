#!/bin/sh
# One user with what the service needs. Nothing is needed after a restart, so nothing is written to disk.
set -eu
users=/tmp/users.acl
umask 077
cat >"$users" <<ACL
user default off
user verification on >$(cat /run/secrets/redis-password) ~age-verification:* +@read +@write +@scripting +@connection -@dangerous +info
ACL
exec redis-server --aclfile "$users" --save '' --appendonly no --maxmemory 256mb --maxmemory-policy volatile-lru
