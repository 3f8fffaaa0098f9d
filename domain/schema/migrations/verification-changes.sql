-- The place of a verification among the changes that tenants list: its completion, and a later revocation of its token.
--
-- It is the number of the transaction, so that a reader knows what can still be committed before it: below the oldest
-- transaction that is under way, nothing. Transaction numbers begin anew in another cluster, and again in one that was
-- restored to a point in time: the epoch, in the bits above, is raised there (`continue-changes.ts`). 0 was completed before
-- there were changes. The completing statement sets it, which takes less time than this trigger: for everything else, and for
-- programs of the version before.
create function note_verification_change() returns trigger language plpgsql as $$
begin
  new.change := (coalesce((select value::bigint from service_setting where name = 'change_epoch'), 0) << 44)
    | pg_current_xact_id()::text::bigint;
  return new;
end $$;

create trigger verification_changed before update on verification for each row
when (new.change = old.change and (
  new.completed_at is distinct from old.completed_at or new.token_revoked_at is distinct from old.token_revoked_at
))
execute function note_verification_change();
