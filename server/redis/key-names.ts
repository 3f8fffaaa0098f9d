import { hash } from 'node:crypto'
import type { RateClass } from '#domain/api-key/api-key.policy.ts'

/** What the name of every key in Redis begins with. */
export const keyPrefix = 'age-verification:'

/** Written to find out whether the server accepts writes. */
export const probeKey = `${keyPrefix}probe`

/** Has the id of this Redis (`redis-id.ts`). */
export const idKey = `${keyPrefix}id`

/** The entry of an API key. Braces mark what decides the slot: an entry and its windows are on one server. */
export function nameEntry(keyHash: string): string {
  return `${keyPrefix}key:{${keyHash}}`
}

/** The counter of an API key's requests in a window. */
export function nameKeyWindow(keyHash: string, rateClass: RateClass, window: number): string {
  return `${keyPrefix}window:{${keyHash}}:${rateClass}:${window}`
}

/** The counter of anything else, hashed: a bucket can name a user or the address of a client. */
export function nameWindow(bucket: string, window: number): string {
  return `${keyPrefix}window:${hash('sha256', bucket)}:${window}`
}
