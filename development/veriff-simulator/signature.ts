import { randomUUID } from 'node:crypto'
import { signature as sign } from '#server/providers/veriff/signature.ts'

export interface Credentials {
  apiKey: string
  /** The first one signs; what is signed with any of them is accepted. */
  sharedSecrets: readonly string[]
}

/** All but `valid` are what an impostor would send, for tests of the receiving side. */
export type Signing = 'valid' | 'wrong-signature' | 'wrong-client' | 'unsigned'

/**
 * The headers that authenticate `bytes`, under both pairs of names: which pair a real integration gets depends on
 * its age.
 */
export function signedHeaders(
  { apiKey, sharedSecrets: [secret = ''] }: Credentials,
  bytes: Buffer,
  signing: Signing,
): Record<string, string> {
  const client = signing === 'wrong-client' ? randomUUID() : apiKey
  const clientHeaders = { 'x-auth-client': client, 'vrf-auth-client': client }
  if (signing === 'unsigned') return clientHeaders
  const signature = sign(bytes, signing === 'wrong-signature' ? randomUUID() : secret)
  return { ...clientHeaders, 'x-hmac-signature': signature, 'vrf-hmac-signature': signature }
}
