import { batchLookups } from '../database/batch-lookups.ts'
import { arrayOf, int, type SqlTypes, type Typed, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'

export interface VerificationKey {
  tenantId: string
  verificationId: string
}

export interface LookupDefinition<Row extends SqlTypes> {
  name: string
  /** The columns of `row` and the tables that they are in, of which `verification v` is one. */
  select: string
  row: Row
}

/**
 * Declares a look-up of one verification of a tenant. Calls of the same turn of the event loop share one statement
 * (`batch-lookups.ts`). It reads the partitions between the first and the last id only, and finds each row by the
 * primary key: `offset 0` keeps the planner from reading a small partition as a whole, which may have grown since.
 * Calls throw `DATABASE_ERROR`.
 */
export function verificationLookup<const Row extends SqlTypes>({ name, select, row }: LookupDefinition<Row>) {
  const alone = statement({
    name,
    text: `select ${select} where v.tenant_id = :tenantId and v.id = :verificationId`,
    values: { tenantId: uuid, verificationId: uuid },
    row,
  })
  const together = statement({
    name: `${name}-batch`,
    text: `select key.position::int as position, found.*
     from unnest(:tenantIds, :verificationIds) with ordinality as key (tenant_id, verification_id, position)
     cross join lateral (
       select ${select}
       where v.tenant_id = key.tenant_id and v.id = key.verification_id and v.id between :firstId and :lastId offset 0
     ) found`,
    values: { tenantIds: arrayOf(uuid), verificationIds: arrayOf(uuid), firstId: uuid, lastId: uuid },
    row: { position: int, ...row },
  })
  type Found = Typed<Row> | undefined
  const lookUp = batchLookups<VerificationKey, Found>({
    one: async (pool, key) => (await alone(pool, key))[0],
    async many(pool, keys) {
      const found = new Array<Found>(keys.length)
      const rows = (await together(pool, valuesOf(keys))) as (Typed<Row> & { position: number })[]
      for (const row of rows) found[row.position - 1] = row
      return found
    },
  })
  return Object.assign((pool: StatementPool, key: VerificationKey) => lookUp(pool, key), {
    statements: [alone, together] as const,
  })
}

function valuesOf(keys: readonly VerificationKey[]) {
  const verificationIds = keys.map(({ verificationId }) => verificationId.toLowerCase())
  const [first = ''] = verificationIds
  return {
    tenantIds: keys.map(({ tenantId }) => tenantId),
    verificationIds,
    firstId: verificationIds.reduce((least, id) => (id < least ? id : least), first),
    lastId: verificationIds.reduce((greatest, id) => (id > greatest ? id : greatest), first),
  }
}
