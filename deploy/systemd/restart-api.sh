#!/bin/sh
# Restarts these instances one after the other, and stops at the first that does not start: restart-api.sh 1 2
set -eu
for instance in "$@"; do
  unit=age-verification-api@$instance
  port=$(sed -n 's/^METRICS_PORT=//p' "/etc/age-verification/api-$instance.env")
  systemctl restart "$unit"
  until curl --silent --fail --max-time 2 --output /dev/null "http://127.0.0.1:$port/health/ready"; do
    systemctl is-active --quiet "$unit" || { echo "$unit does not start: see journalctl -u $unit" >&2; exit 1; }
    sleep 1
  done
  # Two probes of the load balancer.
  sleep 3
done
