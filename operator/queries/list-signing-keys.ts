import type { OperatorScope } from '#domain/scope.ts'
import { SigningKey } from '#domain/signing-key/signing-key.entity.ts'

/** `pending` is published and signs later; `retired` is published for the tokens that it signed. */
type SigningKeyState = 'pending' | 'active' | 'retired' | 'unpublished' | 'compromised'

/** All signing keys, newest first. */
export async function listSigningKeys({ em, now }: OperatorScope) {
  const keys = await em.find(SigningKey, {}, { orderBy: [{ createdAt: 'desc' }, { signsFrom: 'desc' }] })
  return keys.map(key => ({
    kid: key.kid,
    state: decideState(key, now),
    createdAt: key.createdAt,
    signsFrom: key.signsFrom,
    retiredAt: key.retiredAt ?? null,
    publishedUntil: key.publishedUntil ?? null,
    compromisedAt: key.compromisedAt ?? null,
    /** Whether it signs for test tenants. */
    test: key.test,
  }))
}

function decideState(key: SigningKey, now: Date): SigningKeyState {
  const { compromisedAt, retiredAt, publishedUntil, signsFrom } = key
  if (compromisedAt) return 'compromised'
  if (retiredAt && retiredAt <= now)
    return publishedUntil && publishedUntil <= now ? 'unpublished' : 'retired'
  return signsFrom > now ? 'pending' : 'active'
}
