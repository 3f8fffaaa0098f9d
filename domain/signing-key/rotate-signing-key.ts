import type { EntityManager } from '@mikro-orm/postgresql'
import { recordServiceAuditEvent } from '../audit/record-audit-event.ts'
import { advisoryLocks, lockAdvisory } from '../database/advisory-locks.ts'
import { transaction } from '../database/transaction.ts'
import { invalidParameter } from '../parameters.ts'
import type { OperatorScope, Scope } from '../scope.ts'
import { newSigningKey } from './ensure-signing-key.ts'
import { keySetLifetimeSeconds } from './published-keys.ts'
import { SigningKey } from './signing-key.entity.ts'
import { TokenSigner } from './token-signer.entity.ts'

export interface RotatedSigningKey {
  /** The new key. */
  kid: string
  /** When the new key begins to sign; until then the previous one does. */
  signsFrom: Date
  /** Replaced keys that are still published, newest first. */
  retired: string[]
}

/**
 * Creates a new key. It is published immediately and signs 60 s later, when no cached key set lacks it. The previous key
 * stays published until the last token that it can have signed has expired: for one token lifetime after it has signed
 * last, the longest that its tokens ever had.
 *
 * A `compromised` key is not published any more, and its tokens are revoked, from the commit on. If it was the one that
 * signs, the new key signs immediately. With `test` it is about the keys that sign for test tenants. Throws
 * `INVALID_PARAMETERS` for an unknown kid, and for one of the others.
 */
export async function rotateSigningKey(
  scope: OperatorScope,
  { compromised, test = false }: { compromised?: string | undefined; test?: boolean } = {},
): Promise<RotatedSigningKey> {
  const created = await newSigningKey(scope.cipher)
  return await transaction(scope, async em => {
    await lockAdvisory(em, advisoryLocks.signingKeyRotation)
    if (compromised !== undefined) await withdraw(scope, em, compromised, test)
    const signsFrom = await retireKeysInUse(scope, em, test)
    em.create(SigningKey, { ...created, createdAt: scope.now, signsFrom, test })
    const changes = {
      signsFrom: signsFrom.toISOString(),
      compromised: compromised ?? null,
      ...(test && { test }),
    }
    recordServiceAuditEvent(scope, em, { action: 'signing_key.rotate', target: created.kid, changes })
    const retired = await em.find(
      SigningKey,
      { test, retiredAt: { $ne: null }, publishedUntil: { $gt: scope.now }, compromisedAt: null },
      { orderBy: [{ retiredAt: 'desc' }, { createdAt: 'desc' }] },
    )
    return { kid: created.kid, signsFrom, retired: retired.map(key => key.kid) }
  })
}

/** Marks a key as compromised. It stops signing and leaves the key set; reporting it again changes nothing. */
async function withdraw({ now }: Scope, em: EntityManager, kid: string, test: boolean): Promise<void> {
  const key = kid.includes('\0') ? null : await em.findOne(SigningKey, { kid, test })
  if (!key)
    throw invalidParameter(
      'compromised',
      `No signing key of ${test ? 'test' : 'live'} tenants has the kid ${kid}.`,
    )
  if (key.compromisedAt) return
  key.compromisedAt = now
  key.publishedUntil = now
  if (!key.retiredAt || key.retiredAt > now) key.retiredAt = now
  await em.flush()
}

/**
 * Retires the key that signs now, and those that were to sign after it. At any time, exactly one key signs: each one
 * until the next one begins. Returns when the new key begins: immediately if no key signs now.
 */
async function retireKeysInUse(scope: Scope, em: EntityManager, test: boolean): Promise<Date> {
  const { now } = scope
  const inUse = await em.find(
    SigningKey,
    { test, compromisedAt: null, $or: [{ retiredAt: null }, { retiredAt: { $gt: now } }] },
    { orderBy: [{ signsFrom: 'asc' }, { createdAt: 'asc' }] },
  )
  const isImmediate = !inUse.some(key => key.signsFrom <= now)
  const published = now.getTime() + keySetLifetimeSeconds * 1000
  // Of two concurrent rotations, the first to get the lock may have the later `now`.
  const signsFrom = isImmediate ? now : new Date(Math.max(published, inUse.at(-1)!.signsFrom.getTime()))
  for (const [index, key] of inUse.entries()) {
    await retire(scope, em, key, isImmediate ? now : (inUse[index + 1]?.signsFrom ?? signsFrom))
  }
  // Written before the new key: a unique index allows only one newest key.
  await em.flush()
  return signsFrom
}

async function retire({ rules }: Scope, em: EntityManager, key: SigningKey, retiredAt: Date): Promise<void> {
  const longest = await em.findOne(
    TokenSigner,
    { kid: key.kid },
    { orderBy: { lifetimeSeconds: 'desc' }, fields: ['lifetimeSeconds'] },
  )
  const lifetimeMs = Math.max(rules.tokenLifetimeMs, (longest?.lifetimeSeconds ?? 0) * 1000)
  key.retiredAt = retiredAt
  key.publishedUntil = new Date(retiredAt.getTime() + lifetimeMs)
}
