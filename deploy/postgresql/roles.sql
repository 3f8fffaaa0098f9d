\set ON_ERROR_STOP on
create role verification_owner login password :'owner_password';
create role verification login password :'service_password';
-- To see how long the transactions of others are open.
grant pg_read_all_stats to verification;
create database verification owner verification_owner encoding 'UTF8' template template0;
revoke all on database verification from public;
grant connect on database verification to verification;
\connect verification
alter schema public owner to verification_owner;
grant usage on schema public to verification;
alter default privileges for role verification_owner in schema public
  grant select, insert, update, delete on tables to verification;
