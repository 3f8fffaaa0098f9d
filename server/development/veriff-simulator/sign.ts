import { createHmac, timingSafeEqual } from 'node:crypto'

/** The first one signs. */
export function signingSecret(sharedSecrets: string[]): string {
  const [secret] = sharedSecrets
  if (secret === undefined) throw new Error('at least one shared secret is needed')
  return secret
}

/** HMAC-SHA256 in lower-case hex; the secret is used as its UTF-8 text. */
export function sign(content: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(content).digest('hex')
}

/** Whether any of the secrets gives this signature; upper-case hex is accepted, as the provider does. */
export function isSignedWith(signature: string, content: string | Buffer, secrets: string[]): boolean {
  const given = Buffer.from(signature, 'hex')
  return secrets.some(secret => {
    const expected = Buffer.from(sign(content, secret), 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
