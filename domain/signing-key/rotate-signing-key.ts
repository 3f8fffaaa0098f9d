import type { EntityManager } from '@mikro-orm/postgresql'
import { advisoryLocks } from '../database/advisory-locks.ts'
import { transaction } from '../database/transaction.ts'
import type { Scope } from '../scope.ts'
import { Token } from '../token/token.entity.ts'
import { newSigningKey } from './ensure-signing-key.ts'
import { SigningKey } from './signing-key.entity.ts'

export interface RotatedSigningKey {
  /** Of the new key. */
  kid: string
  /** Retired keys that are still published, the newest first. */
  retired: string[]
}

/**
 * Signs from now on with a new key. The one before stays published until the last token that it signed has expired,
 * and at least for one token's lifetime: a completion under way may still sign with it.
 */
export async function rotateSigningKey(scope: Scope): Promise<RotatedSigningKey> {
  const made = await newSigningKey(scope.cipher)
  return await transaction(scope, async em => {
    await em.execute('select pg_advisory_xact_lock(?)', [advisoryLocks.signingKeyRotation])
    const active = await em.findOne(SigningKey, { retiredAt: null })
    if (active) await retire(scope, em, active)
    em.create(SigningKey, { ...made, createdAt: scope.now })
    const published = { retiredAt: { $ne: null }, publishedUntil: { $gt: scope.now } }
    const retired = await em.find(SigningKey, published, { orderBy: { createdAt: 'desc' } })
    return { kid: made.kid, retired: retired.map(key => key.kid) }
  })
}

async function retire(scope: Scope, em: EntityManager, key: SigningKey): Promise<void> {
  const last = await em.findOne(
    Token,
    { kid: key.kid },
    { orderBy: { expiresAt: 'desc' }, fields: ['expiresAt'] },
  )
  const oneLifetime = scope.now.getTime() + scope.rules.tokenLifetimeMs
  key.retiredAt = scope.now
  key.publishedUntil = new Date(Math.max(oneLifetime, last?.expiresAt.getTime() ?? 0))
  // Before the new key is written: only one may be active.
  await em.flush()
}
