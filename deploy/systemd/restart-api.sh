#!/bin/sh
# Restarts these instances one after the other, and stops at the first that does not become ready: restart-api.sh 1 2
# RESTART_SECONDS: how long an instance has for that. RESTART_PAUSE_SECONDS: how long the proxy takes to know that it is.
set -eu
seconds=${RESTART_SECONDS:-120}
for instance in "$@"; do
  unit=age-verification-api@$instance
  result=0
  # It waits until the instance is ready, which takes as long as PostgreSQL or Redis is away.
  timeout "$seconds" systemctl restart "$unit" || result=$?
  if [ "$result" -ne 0 ]; then
    [ "$result" -eq 124 ] && reason="is not ready after $seconds s" || reason='does not start'
    echo "$unit $reason: see journalctl -u $unit. The instances after it were left as they are." >&2
    exit 1
  fi
  sleep "${RESTART_PAUSE_SECONDS:-3}"
done
