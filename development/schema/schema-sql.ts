import type { MikroORM } from '@mikro-orm/postgresql'

/** One entry of `verification.timeline`; `VerificationChange` describes the fields. The order leaves no padding. */
const verificationChangeType = `create type verification_change_source as enum ('provider', 'service');
create type verification_change as (at timestamptz(3), status verification_status,
     source verification_change_source, code int, attempt smallint, applied boolean, reason_code text,
     decided_at timestamptz(3));`

/**
 * Two thirds of a page are left free for the changes up to the completion, which make a row four times as long: they stay on
 * the page, so that no index is touched, and a page is full when its verifications are completed. Room of those that were deleted is
 * made free at a twentieth of the table, which is some days of a year.
 */
const verificationStorage = 'with (fillfactor = 30, autovacuum_vacuum_scale_factor = 0.05)'

/** The SQL that creates the current schema: what MikroORM generates from the entities, and what it can't express. */
export async function schemaSql(orm: MikroORM): Promise<string> {
  const generated = await orm.schema.getCreateSchemaSQL({ wrap: false })
  return generated
    .replace(/^create type "verification_status" .*;$/m, type => `${type}\n${verificationChangeType}`)
    .replace(/^(create table "verification" .*);$/m, (_, table) => `${table} ${verificationStorage};`)
}
