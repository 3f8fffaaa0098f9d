import { awaitChange, type Wait } from '../await-change.ts'
import { int, jsonOf, nullable, type Typed, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import type { ApiKeyActorScope } from '../scope.ts'
import { createdTooEarly } from './delivery.policy.ts'

export interface TestEvents {
  events: Typed<typeof row>[]
  /** The id of the last one, or else what was given: the next `after`. */
  next: number
}

/** So that a page has less than 64 KiB, with the longest URLs. */
const pageSize = 20

const row = {
  id: int,
  at: timestamp,
  attempt: int,
  url: nullable(text),
  headers: jsonOf<Record<string, string>>(),
  body: text,
}

/**
 * The events of a test tenant that follow an id, of the last 24 hours, oldest first, 20 at most; with `latest` none but those
 * that are still to come. If there are none, it waits for the next. Throws `FORBIDDEN` for the key of a live tenant, and as
 * `awaitChange` does.
 */
export async function listTestEvents(
  scope: ApiKeyActorScope,
  { after, ...wait }: Wait & { after: number | 'latest' },
): Promise<TestEvents> {
  const { test, tenantId } = scope.actor
  if (!test) throw new DomainError('FORBIDDEN', { message: liveKey })
  const from = after === 'latest' ? await lastId(scope) : after
  const read = async ({ pool, now }: ApiKeyActorScope) => {
    const events = await findTestEvents(pool, {
      tenantId,
      after: from,
      createdAfter: createdTooEarly(now),
      limit: pageSize,
    })
    return { events, next: events.at(-1)?.id ?? from }
  }
  if (wait.waitMs === 0) return await read(scope)
  return await awaitChange(scope, {
    ...wait,
    read,
    isAwaited: ({ events }) => events.length > 0,
  })
}

const liveKey = 'Only a test tenant can ask for its events: use its key, which begins with avk_test_.'

async function lastId({ pool, actor }: ApiKeyActorScope): Promise<number> {
  const [tenant] = await countTestEvents(pool, { tenantId: actor.tenantId })
  return tenant?.count ?? 0
}

export const findTestEvents = statement({
  name: 'find-test-events',
  text: `select id, at, attempt, url, headers, body from test_event
   where tenant_id = :tenantId and id > :after and at > :createdAfter order by id limit :limit`,
  values: { tenantId: uuid, after: int, createdAfter: timestamp, limit: int },
  row,
})

export const countTestEvents = statement({
  name: 'count-test-events',
  text: 'select test_events as count from tenant where id = :tenantId',
  values: { tenantId: uuid },
  row: { count: int },
})
