#!/bin/sh
# Runs once, on an empty volume.
set -eu
secret() { cat "/run/secrets/$1"; }
psql --no-psqlrc --set ON_ERROR_STOP=1 --username postgres --set keycloak_password="$(secret keycloak-database-password)" \
  --set owner_password="$(secret owner-password)" --set service_password="$(secret service-password)" <<'SQL'
create role keycloak login password :'keycloak_password';
create database keycloak owner keycloak;
revoke all on database keycloak from public;
\include /etc/age-verification/roles.sql
SQL
