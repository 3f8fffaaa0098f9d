#!/bin/sh
# Runs once, on an empty volume.
set -eu
secret() { cat "/run/secrets/$1"; }
psql --no-psqlrc --set ON_ERROR_STOP=1 --username postgres --set owner_password="$(secret owner-password)" \
  --set service_password="$(secret service-password)" --file /etc/age-verification/roles.sql
