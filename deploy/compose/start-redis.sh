#!/bin/sh
# Nothing is needed after a restart, so nothing is written to disk.
set -eu
users=/tmp/users.acl
umask 077
sed "s/PASSWORD/$(cat /run/secrets/redis-password)/" /etc/redis/users.acl >"$users"
exec redis-server --aclfile "$users" --save '' --appendonly no --maxmemory 256mb --maxmemory-policy volatile-lru
