import type { EntityManager } from '@mikro-orm/postgresql'
import { advisoryLocks } from '../database/advisory-locks.ts'
import { transaction } from '../database/transaction.ts'
import type { OperatorScope, Scope } from '../scope.ts'
import { Token } from '../token/token.entity.ts'
import { newSigningKey } from './ensure-signing-key.ts'
import { SigningKey } from './signing-key.entity.ts'

export interface RotatedSigningKey {
  /** The new key. */
  kid: string
  /** Retired keys that are still published, newest first. */
  retired: string[]
}

/**
 * Creates a new key, which signs all tokens from now on. The previous key stays published until the last token that
 * it signed has expired, and at least for one token lifetime: a completion in progress may still sign with it.
 */
export async function rotateSigningKey(scope: OperatorScope): Promise<RotatedSigningKey> {
  const created = await newSigningKey(scope.cipher)
  return await transaction(scope, async em => {
    await em.execute('select pg_advisory_xact_lock(?)', [advisoryLocks.signingKeyRotation])
    const active = await em.findOne(SigningKey, { retiredAt: null })
    if (active) await retire(scope, em, active)
    em.create(SigningKey, { ...created, createdAt: scope.now })
    const published = { retiredAt: { $ne: null }, publishedUntil: { $gt: scope.now } }
    const retired = await em.find(SigningKey, published, { orderBy: { createdAt: 'desc' } })
    return { kid: created.kid, retired: retired.map(key => key.kid) }
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
  // Written before the new key: a unique index allows only one active key.
  await em.flush()
}
