import { randomUUID } from 'node:crypto'
import { signature as sign } from '#server/providers/veriff/signature.ts'

export interface Credentials {
  apiKey: string
  /** The first one signs; what is signed with any of them is accepted. */
  sharedSecrets: readonly string[]
}

/** `wrong-signature` is what an impostor would send, for tests of the receiving side. */
export type Signing = 'valid' | 'wrong-signature'

/**
 * The headers that authenticate `bytes`, under both pairs of names: which pair a real integration gets depends on
 * its age.
 */
export function signedHeaders(
  { apiKey, sharedSecrets: [secret = ''] }: Credentials,
  bytes: Buffer,
  signing: Signing,
): Record<string, string> {
  const signature = sign(bytes, signing === 'valid' ? secret : randomUUID())
  const clientHeaders = { 'x-auth-client': apiKey, 'vrf-auth-client': apiKey }
  return { ...clientHeaders, 'x-hmac-signature': signature, 'vrf-hmac-signature': signature }
}
