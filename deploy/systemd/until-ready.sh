#!/bin/sh
# For ExecStartPost: ends when the main process of the unit is ready, or fails when that has ended.
cd /opt/age-verification-service
while kill -0 "$MAINPID" 2>/dev/null; do
  node_modules/.bin/node deploy/healthcheck.mjs /health/ready >/dev/null 2>&1 && exit
  sleep 1
done
exit 1
