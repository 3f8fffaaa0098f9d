import type { OperatorScope } from '#domain/scope.ts'
import { SigningKey } from '#domain/signing-key/signing-key.entity.ts'

/** `pending` is published and signs later; `retired` is published for the tokens that it signed. */
export type SigningKeyState = 'pending' | 'active' | 'retired' | 'unpublished' | 'compromised'

export interface ListedSigningKey {
  kid: string
  state: SigningKeyState
  createdAt: Date
  signsFrom: Date
  retiredAt: Date | null
  publishedUntil: Date | null
  compromisedAt: Date | null
  /** Whether it signs for test tenants. */
  test: boolean
}

/** All signing keys, newest first. */
export async function listSigningKeys({ em, now }: OperatorScope): Promise<ListedSigningKey[]> {
  const keys = await em.find(SigningKey, {}, { orderBy: [{ createdAt: 'desc' }, { signsFrom: 'desc' }] })
  return keys.map(key => ({
    kid: key.kid,
    state: decideState(key, now),
    createdAt: key.createdAt,
    signsFrom: key.signsFrom,
    retiredAt: key.retiredAt ?? null,
    publishedUntil: key.publishedUntil ?? null,
    compromisedAt: key.compromisedAt ?? null,
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
