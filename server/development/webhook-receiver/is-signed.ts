import { timingSafeEqual } from 'node:crypto'
import { signEvent } from '#domain/webhook/signature.policy.ts'

/** Whether the signature is over these very bytes, by one of the secrets; takes the same time whatever it is. */
export function isSigned(body: Buffer, signature: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(signature)
  return secrets
    .map(secret => Buffer.from(signEvent(body, secret)))
    .map(expected => given.length === expected.length && timingSafeEqual(given, expected))
    .includes(true)
}
