import { setTimeout as delay } from 'node:timers/promises'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { TenantScope } from '../scope.ts'

/** For how long a key answers with its first answer. */
export const keyLifetimeMs = 24 * 60 * 60 * 1000
/** For how long a request without an answer is believed to be running; the provider's deadline is 10 s. */
const heldMs = 20_000
/** Between two looks for the first answer: doubled by each, so that many who wait ask little of the database. */
const waitMsMin = 50
const waitMsMax = 400

export interface KeyedRequest {
  key: string
  inputHash: string
}

/** The key in the hands of the request that runs. */
export interface IdempotencyLock<Answer> {
  /** What has to be stored, in the transaction of the work itself, so that the key gives this answer again. */
  answerWith(answer: Answer): { key: string; holder: string; answer: Buffer }
}

interface StoredKey {
  inputHash: string
  answer: Buffer | null
}

const takeKey = statement<{ holder: string }>(
  'take-idempotency-key',
  `insert into idempotency_key as k (tenant_id, key, input_hash, created_at, holder, held_until)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (tenant_id, key) do update set input_hash = excluded.input_hash, created_at = excluded.created_at,
     holder = excluded.holder, held_until = excluded.held_until, answer = null
   where k.created_at <= $7 or (k.answer is null and k.held_until <= $4)
   returning holder`,
)

const readKey = statement<StoredKey>(
  'read-idempotency-key',
  'select input_hash as "inputHash", answer from idempotency_key where tenant_id = $1 and key = $2',
)

const dropKey = statement(
  'drop-idempotency-key',
  'delete from idempotency_key where tenant_id = $1 and key = $2 and holder = $3 and answer is null',
)

/**
 * Runs the work once per key and gives its first answer again; a second request waits for the first. A failed
 * work leaves no trace under the key. Throws `INVALID_REQUEST_BODY` for a key that was used with another input.
 */
export async function withIdempotencyKey<Answer>(
  scope: TenantScope,
  request: KeyedRequest,
  work: (held: IdempotencyLock<Answer>) => Promise<Answer>,
): Promise<Answer> {
  const { tenantId } = scope.actor
  for (let waitMs = waitMsMin; ; waitMs = Math.min(2 * waitMs, waitMsMax)) {
    const holder = await hold(scope, request)
    if (holder) return await run(scope, request.key, holder, work)
    const [stored] = await readKey(scope.pool, [tenantId, request.key])
    if (stored && stored.inputHash !== request.inputHash) throw otherInput()
    if (stored?.answer)
      return JSON.parse(scope.cipher.open(stored.answer, purposeOf(tenantId, request.key))) as Answer
    await delay(waitMs)
  }
}

async function hold(scope: TenantScope, request: KeyedRequest): Promise<string | undefined> {
  const now = scope.clock()
  const [taken] = await takeKey(scope.pool, [
    scope.actor.tenantId,
    request.key,
    request.inputHash,
    now,
    newId(now),
    new Date(now.getTime() + heldMs),
    new Date(now.getTime() - keyLifetimeMs),
  ])
  return taken?.holder
}

async function run<Answer>(
  scope: TenantScope,
  key: string,
  holder: string,
  work: (held: IdempotencyLock<Answer>) => Promise<Answer>,
): Promise<Answer> {
  const { tenantId } = scope.actor
  try {
    return await work({
      answerWith: answer => ({
        key,
        holder,
        answer: scope.cipher.seal(JSON.stringify(answer), purposeOf(tenantId, key)),
      }),
    })
  } catch (error) {
    await dropKey(scope.pool, [tenantId, key, holder]).catch(cause => {
      scope.log.warn({ err: cause }, 'The idempotency key of a failed start is free again in 20 s')
    })
    throw error
  }
}

function otherInput(): DomainError {
  return new DomainError('INVALID_REQUEST_BODY', {
    message: 'The Idempotency-Key was used with another body in the last 24 hours.',
    details: { issues: [{ path: 'Idempotency-Key', message: 'already used with another body' }] },
  })
}

function purposeOf(tenantId: string, key: string): string {
  return `idempotency-key:${tenantId}:${key}`
}
