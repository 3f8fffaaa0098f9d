-- The monthly partitions of `verification` and `verification_outcome`, which MikroORM has no notation for.
--
-- Two thirds of a page are left free for the changes up to the completion, which make a row four times as long: they stay
-- on the page, so that no index is touched, and a page is full when its verifications are completed.
create table verification_default partition of verification default with (fillfactor = 30);
create table verification_outcome_default partition of verification_outcome default;

-- The functions run with the rights of their owner, so that the service itself needs no right to create or drop tables.
-- Their caller must have the right to insert into, or delete from, `verification`. The name of a partition ends in
-- `_YYYY_MM`, the UTC month that its ids contain. Locks are waited for 2 s at most, as statements on the tables wait behind
-- the function, but for longer than autovacuum takes to yield. Each call is for one of the tables, in a transaction of its
-- own: statements lock the two in any order.

create function first_verification_id(at timestamp) returns uuid language sql immutable
return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- Rows of a month that are in the default partition are moved to the month's own.
create function create_verification_partition(parent text, key_column text, month date, storage text) returns int
language plpgsql as $$
declare
  name text := parent || to_char(month, '_YYYY_MM');
  first_id uuid := first_verification_id(month);
  end_id uuid := first_verification_id(month + interval '1 month');
begin
  if to_regclass(name) is not null then
    return 0;
  end if;
  execute format('create table %I (like %I including all) %s', name, parent, storage);
  execute format(
    'with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *)
     insert into %5$I select * from moved',
    parent || '_default', key_column, first_id, end_id, name);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, first_id, end_id);
  return 1;
end $$;

create function create_verification_partitions(parent text, first_month date, last_month date) returns int
language plpgsql security definer set lock_timeout = '2s' as $$
declare
  month date;
  created int := 0;
begin
  if not has_table_privilege(session_user, 'verification', 'insert') then
    raise insufficient_privilege using message = 'permission denied for table verification';
  end if;
  for month in
    select generate_series(date_trunc('month', first_month::timestamp), last_month::timestamp, '1 month')::date
  loop
    created := created + case parent
      when 'verification' then create_verification_partition(parent, 'id', month, 'with (fillfactor = 30)')
      when 'verification_outcome' then create_verification_partition(parent, 'verification_id', month, '')
    end;
  end loop;
  return created;
end $$;

create function drop_verification_partitions(parent text, retained_from timestamptz) returns int
language plpgsql security definer set lock_timeout = '2s' as $$
declare
  partition record;
  dropped int := 0;
  first_id uuid := first_verification_id(retained_from at time zone 'UTC');
begin
  if not has_table_privilege(session_user, 'verification', 'delete') then
    raise insufficient_privilege using message = 'permission denied for table verification';
  end if;
  for partition in
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where parent in ('verification', 'verification_outcome') and i.inhparent = parent::regclass
      and c.relname ~ '_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= retained_from at time zone 'UTC'
  loop
    execute format('drop table %I', partition.name);
    dropped := dropped + 1;
  end loop;
  case parent
    when 'verification' then delete from verification_default where id < first_id;
    when 'verification_outcome' then delete from verification_outcome_default where verification_id < first_id;
  end case;
  return dropped;
end $$;

-- In the schema of the tables, whatever the search_path of the caller is.
do $$
declare name text;
begin
  foreach name in array array[
    'create_verification_partitions(text, date, date)', 'drop_verification_partitions(text, timestamptz)'
  ]
  loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end $$;

select create_verification_partitions(parent, current_date, (current_date + interval '3 months')::date)
from unnest(array['verification', 'verification_outcome']) parent;
