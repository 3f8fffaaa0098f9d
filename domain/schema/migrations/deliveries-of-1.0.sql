-- What workers of 1.0.0 need while they deliver the same rows as newer ones: during an upgrade, and after going back.
--
-- In flight, `due_at` is the end of the lease. 1.0.0 has it in `lease_until`, with a token for each claim, and counts a
-- tenant's deliveries in flight in `delivery_queue`. So a claim of 1.0.0 also sets `due_at`; and where a newer worker takes
-- over from a killed one of 1.0.0, the token ends, which keeps the lost attempt's outcome out, and the count is reduced.
create function adapt_delivery_of_1_0() returns trigger language plpgsql as $$
begin
  if new.state = 'in_flight' then
    new.due_at := new.lease_until;
  else
    new.claim_token := null;
    new.lease_until := null;
    update delivery_queue set in_flight = in_flight - 1 where tenant_id = new.tenant_id;
  end if;
  return new;
end $$;

create trigger delivery_of_1_0 before update on delivery for each row
when (new.claim_token is not null) execute function adapt_delivery_of_1_0();

update delivery set due_at = lease_until where state = 'in_flight';

-- 1.0.0 finds deliveries that are `new`. It knows nothing of the retries of newer workers, and of what these had in flight
-- when they were killed, until this makes them due. That worker of 1.0.0 which polls renews its lease once a second; newer
-- workers have one of another name.
create function find_deliveries_for_1_0() returns trigger language plpgsql as $$
begin
  update delivery set
    state = case when attempts >= 3 then 'failed' else 'new' end,
    due_at = least(due_at, now()),
    failure = case state when 'in_flight' then 'interrupted' else failure end
  where ctid = any (array(
    select ctid from delivery
    where (state = 'waiting' or state = 'in_flight' and claim_token is null) and due_at < now()
    for update skip locked
  ));
  return null;
end $$;

create trigger lease_of_1_0 after insert or update on lease for each row
when (new.name = 'deliver webhook events') execute function find_deliveries_for_1_0();
