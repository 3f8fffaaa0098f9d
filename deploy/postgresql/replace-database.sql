\set ON_ERROR_STOP on
\connect postgres
alter database verification rename to verification_old;
create database verification owner verification_owner encoding 'UTF8' template template0;
revoke all on database verification from public;
grant connect on database verification to verification;
