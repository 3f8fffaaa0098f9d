import { readFileSync } from 'node:fs'
import type { MikroORM } from '@mikro-orm/postgresql'

/** One entry of `verification.timeline`; `VerificationChange` describes the fields. The order leaves no padding. */
const verificationChangeType = `create type verification_change_source as enum ('provider', 'tenant', 'service');
create type verification_change as (at timestamptz(3), status verification_status,
     source verification_change_source, code int, attempt smallint, applied boolean, reason_code text,
     decided_at timestamptz(3));`

/** The column whose ranges the partitions of a table are. */
const partitionKeys: Record<string, string> = { verification: 'id', verification_outcome: 'verification_id' }

/** The SQL that creates the current schema: what MikroORM generates from the entities, and what it can't express. */
export async function schemaSql(orm: MikroORM): Promise<string> {
  const generated = await orm.schema.getCreateSchemaSQL({ wrap: false })
  const files = ['verification-partitions.sql', 'verification-changes.sql']
  const inexpressible = files.map(file => readFileSync(`domain/schema/migrations/${file}`, 'utf8'))
  const complete = generated
    .replace(/^create type "verification_status" .*;$/m, type => `${type}\n${verificationChangeType}`)
    .replace(
      /^(create table "(verification(?:_outcome)?)" .*);$/gm,
      (_, table, name) => `${table} partition by range ("${partitionKeys[name]}");`,
    )
  return [complete, ...inexpressible].join('\n')
}
