/**
 * Where the status of a token is published: draft-ietf-oauth-status-list. A list has a bit for each of its tokens, 1 for a
 * revoked one. Each `token_signer` has lists of its own, so that a compromised key revokes them as a whole.
 */
import { deflateSync } from 'node:zlib'

/** Tokens per list. With any statuses, a signed list is smaller than 30 KiB. */
export const statusListSize = 2 ** 17

/** How long a list may be cached: after this, whoever checks tokens offline knows of a revocation. */
export const statusListTtlSeconds = 300

/**
 * How long a list is valid: three times as long, so that checks offline continue while the service is not available for
 * ten minutes, and nobody can withhold a revocation for longer.
 */
export const statusListLifetimeSeconds = 3 * statusListTtlSeconds

export const statusListType = 'statuslist+jwt'

export const statusListPath = '/tokens/status-lists'

/** A list by its place among those of its `token_signer`, from 0. */
export interface StatusListKey {
  signer: number
  ordinal: number
}

/** The claim `status` of a token. `statusIndex` counts the tokens of all lists of a signer. */
export function toTokenStatus(issuer: string, signer: number, statusIndex: number) {
  const ordinal = Math.floor(statusIndex / statusListSize)
  return {
    status_list: { idx: statusIndex % statusListSize, uri: statusListUri(issuer, { signer, ordinal }) },
  }
}

export function statusListUri(issuer: string, list: StatusListKey): string {
  return `${issuer}${statusListPath}/${statusListNumber(list)}`
}

/** Ids of signers are smaller: they are positive and of the type `smallint`. */
const signersMax = 2 ** 15

/** The number of a list in its URI: small ones first, and unique among all signers. */
function statusListNumber({ signer, ordinal }: StatusListKey): number {
  return ordinal * signersMax + signer
}

export function statusListKey(number: number): StatusListKey {
  return { signer: number % signersMax, ordinal: Math.floor(number / signersMax) }
}

/** The member `lst` of a list in which these tokens, or all, are revoked. */
export function encodeStatuses(revoked: readonly number[] | 'all'): string {
  const bits = Buffer.alloc(statusListSize / 8, revoked === 'all' ? 0xff : 0)
  if (revoked !== 'all') for (const index of revoked) bits[index >> 3]! |= 1 << (index & 7)
  return deflateSync(bits).toString('base64url')
}
