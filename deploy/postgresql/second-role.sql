\set ON_ERROR_STOP on
create role verification_2 login password :'password' in role verification;
-- It inherits the rights of the first one, but neither its connection limit nor its settings.
select format('alter role verification_2 connection limit %s', rolconnlimit)
from pg_roles where rolname = 'verification' \gexec
select format('alter role verification_2%s set %I to %s', ' in database ' || quote_ident(datname), name,
  case when name in ('search_path', 'temp_tablespaces', 'session_preload_libraries') then value else quote_literal(value) end)
from pg_db_role_setting left join pg_database d on d.oid = setdatabase, unnest(setconfig) as setting,
  split_part(setting, '=', 1) as name, substr(setting, length(name) + 2) as value
where setrole = 'verification'::regrole \gexec
