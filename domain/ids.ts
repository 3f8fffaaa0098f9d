import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

/** A UUID of version 7: ordered by `now`, otherwise random. */
export function newId(now: Date): string {
  return v7({ msecs: now.getTime() })
}

/** The lowest UUID of version 7 for a time: turns a time bound into an id bound. */
export function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`
}

/** The same in SQL, a little lower: no UUID of the millisecond is below it. */
export const firstIdAtTime = (time: string) =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`

/** The time of a UUID of version 7, to the millisecond. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

/** 256 random bits as base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}
