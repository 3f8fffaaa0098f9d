#!/bin/sh
# Runs once, on an empty volume. The owner of the tables migrates; the service itself only reads and writes rows.
set -eu
secret() { cat "/run/secrets/$1"; }
psql --no-psqlrc --set ON_ERROR_STOP=1 --username postgres \
  --set owner_password="$(secret owner-password)" --set service_password="$(secret service-password)" \
  --set keycloak_password="$(secret keycloak-database-password)" <<'SQL'
create role verification_owner login password :'owner_password';
create role verification login password :'service_password';
create role keycloak login password :'keycloak_password';
create database verification owner verification_owner;
create database keycloak owner keycloak;
revoke all on database verification, keycloak from public;
grant connect on database verification to verification;
\connect verification
alter schema public owner to verification_owner;
grant usage on schema public to verification;
alter default privileges for role verification_owner in schema public
  grant select, insert, update, delete on tables to verification;
SQL
