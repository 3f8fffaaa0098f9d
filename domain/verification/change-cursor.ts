import { hash } from 'node:crypto'
import { invalidParameter } from '../parameters.ts'

/**
 * What a client stores for the number of a tenant's change: the number in decimal digits and a checksum over it and the tenant,
 * so that the cursor of another tenant, or one that was cut or made up, is recognised. It is no secret.
 */
export function toCursor(tenantId: string, number: string): string {
  return `${number}-${hash('sha256', `${tenantId} ${number}`).slice(0, 8)}`
}

/** The number of a cursor. Throws `INVALID_PARAMETERS` for what the tenant was never given. */
export function readCursor(tenantId: string, cursor: string): string {
  const [number] = /^\d{1,18}(?=-)/.exec(cursor) ?? []
  if (number === undefined || cursor !== toCursor(tenantId, number)) {
    throw invalidParameter('after', 'after must be `next` of an earlier response to a key of this tenant.')
  }
  return number
}
