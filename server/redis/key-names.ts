import { hash } from 'node:crypto'

/** What the name of every key in Redis begins with. */
const keyPrefix = 'age-verification:'

/** Written to find out whether the server accepts writes. */
export const probeKey = `${keyPrefix}probe`

/** The counter of a window, hashed: a bucket can name a user or the address of a client. */
export function nameWindow(bucket: string, window: number): string {
  return `${keyPrefix}window:${hash('sha256', bucket)}:${window}`
}
