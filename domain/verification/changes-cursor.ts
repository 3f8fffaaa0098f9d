/** A place among a tenant's changes: that of a verification, which `verification-changes.sql` explains. */
export interface ChangePosition {
  /** Decimal digits. */
  change: string
  verificationId: string
}

/** Before every change. */
export const beforeAll: ChangePosition = {
  change: '0',
  verificationId: '00000000-0000-0000-0000-000000000000',
}

/**
 * What the index knows of a place, in SQL: every 256 transactions have one key, as a row takes 6 bytes under a key that the
 * index has, and 40 under a key of its own. A reader sorts the rows of a key. What was completed before there were changes is
 * not of few transactions: there, the keys are the milliseconds of the ids, below all others.
 */
export const changePlace = (change: string, id: string) =>
  `case when ${change} > 0 then ${change} >> 8 ` +
  `else ('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint - (1::bigint << 48) end`

/** As the tenant API has it: it is no secret, and leads to nothing but changes of the tenant that asks. */
export function toCursor({ change, verificationId }: ChangePosition): string {
  const bytes = Buffer.alloc(24)
  bytes.writeBigInt64BE(BigInt(change))
  bytes.write(verificationId.replaceAll('-', ''), 8, 'hex')
  return bytes.toString('base64url')
}

/** Undefined if it is none. */
export function readCursor(cursor: string): ChangePosition | undefined {
  if (!/^[\w-]{32}$/.test(cursor)) return undefined
  const bytes = Buffer.from(cursor, 'base64url')
  const change = bytes.readBigInt64BE()
  if (change < 0n) return undefined
  const digits = bytes.toString('hex', 8)
  const verificationId = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { change: String(change), verificationId }
}
