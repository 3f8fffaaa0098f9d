import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

/** All but `valid` are what an impostor would send, for tests of the receiving side. */
export type Signing = 'valid' | 'wrong-signature' | 'wrong-client' | 'unsigned'

/**
 * The headers that authenticate `bytes`, under both pairs of names: which pair a real integration gets depends on
 * its age.
 */
export function signedHeaders(
  { apiKey, secret }: { apiKey: string; secret: string },
  bytes: Buffer,
  signing: Signing,
): Record<string, string> {
  const client = signing === 'wrong-client' ? randomUUID() : apiKey
  const clientHeaders = { 'x-auth-client': client, 'vrf-auth-client': client }
  if (signing === 'unsigned') return clientHeaders
  const signature = sign(bytes, signing === 'wrong-signature' ? randomUUID() : secret)
  return { ...clientHeaders, 'x-hmac-signature': signature, 'vrf-hmac-signature': signature }
}

/** The first secret, which signs. Throws if there is none. */
export function signingSecret(sharedSecrets: string[]): string {
  const [secret] = sharedSecrets
  if (secret === undefined) throw new Error('At least one shared secret is required.')
  return secret
}

/** Whether any of the secrets gives this signature. Upper-case hex is accepted, as by the provider. */
export function isSignedWith(signature: string, content: string | Buffer, secrets: string[]): boolean {
  const given = Buffer.from(signature, 'hex')
  return secrets.some(secret => {
    const expected = Buffer.from(sign(content, secret), 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** HMAC-SHA256 in lower-case hex; the key is the secret's UTF-8 text. */
function sign(content: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(content).digest('hex')
}
