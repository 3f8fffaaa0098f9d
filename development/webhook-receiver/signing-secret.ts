import { timingSafeEqual } from 'node:crypto'
import { signEvent } from '#domain/webhook/signature.policy.ts'

/** The index of the secret that gives this signature of the body, or -1. Takes the same time for any signature. */
export function findSigningSecret(body: Buffer, signature: string, secrets: readonly string[]): number {
  const given = Buffer.from(signature)
  return secrets
    .map(secret => Buffer.from(signEvent(body, secret)))
    .map(expected => given.length === expected.length && timingSafeEqual(given, expected))
    .indexOf(true)
}
