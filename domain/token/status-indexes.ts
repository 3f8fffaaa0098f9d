import { hash, randomBytes } from 'node:crypto'
import { bytes, int, smallint, text } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { TokenTerms } from './age-token.ts'
import { statusListSize } from './status-list.policy.ts'

/** The indexes of the tokens that this process signs with the same terms. */
export interface StatusIndexes {
  /** The id of the `token_signer`. */
  signer: number
  /** An index that no other token of the signer has. */
  next(): Promise<number>
}

/** Reserved at once, so that a token costs no statement. What is left at the end of a process is never used. */
export const statusIndexesReserved = 1024

interface Reservation {
  signer: number
  /** The next position, and the first one that is not reserved. */
  next: number
  end: number
  key: Buffer
}

/**
 * Reserves the first indexes of the terms, whose `token_signer` is added if there is none. Further ones are reserved before
 * they are needed. If the database loses its last commits in a failover, two tokens may get the same index: revoking one
 * of them then also revokes the other for whoever checks it offline.
 */
export async function openStatusIndexes(pool: StatementPool, terms: TokenTerms): Promise<StatusIndexes> {
  let current = await reserve(pool, terms)
  let following: Promise<Reservation> | undefined
  function reserveFollowing(): Promise<Reservation> {
    const reserving = reserve(pool, terms)
    reserving.catch(() => {
      if (following === reserving) following = undefined
    })
    return reserving
  }
  async function next(): Promise<number> {
    while (current.next === current.end) {
      following ??= reserveFollowing()
      current = await following
    }
    const position = current.next++
    if (current.end - current.next === statusIndexesReserved / 2) following = reserveFollowing()
    return statusIndexAt(position, current.key)
  }
  return { signer: current.signer, next }
}

async function reserve(pool: StatementPool, terms: TokenTerms): Promise<Reservation> {
  for (;;) {
    const [reserved] = await reserveStatusIndexes(pool, { ...terms, count: statusIndexesReserved })
    if (reserved) {
      const { signer, end, key } = reserved
      return { signer, next: end - statusIndexesReserved, end, key }
    }
    await addTokenSigner(pool, { ...terms, statusKey: randomBytes(16) })
  }
}

/**
 * The index of the token at a position: a permutation of each list, by a Feistel network with the key of the signer, so that
 * indexes reveal neither the order of tokens nor how many there are in a list.
 */
export function statusIndexAt(position: number, key: Buffer): number {
  const list = Math.floor(position / statusListSize)
  let [high, low] = [(position % statusListSize) >> lowBits, position & lowMask]
  for (let round = 0; round < 4; round += 2) {
    high ^= pseudorandom(key, list, round, low) & highMask
    low ^= pseudorandom(key, list, round + 1, high) & lowMask
  }
  return list * statusListSize + ((high << lowBits) | low)
}

const lowBits = 9
const lowMask = 2 ** lowBits - 1
const highMask = statusListSize / 2 ** lowBits - 1

function pseudorandom(key: Buffer, list: number, round: number, half: number): number {
  const input = Buffer.concat([key, Buffer.from(Uint16Array.of(list, round, half).buffer)])
  return hash('sha256', input, 'buffer').readUInt16BE()
}

const termsValues = { kid: text, issuer: text, lifetimeSeconds: int }

export const reserveStatusIndexes = statement({
  name: 'reserve-status-indexes',
  text: `update token_signer set status_indexes = status_indexes + :count
   where kid = :kid and issuer = :issuer and lifetime_seconds = :lifetimeSeconds
   returning id as signer, status_indexes as "end", status_key as key`,
  values: { ...termsValues, count: int },
  row: { signer: smallint, end: int, key: bytes },
})

/** Of concurrent additions, one wins. */
export const addTokenSigner = statement({
  name: 'add-token-signer',
  text: `insert into token_signer (id, kid, issuer, lifetime_seconds, status_key)
   select coalesce(max(id), 0) + 1, :kid, :issuer, :lifetimeSeconds, :statusKey from token_signer
   on conflict do nothing`,
  values: { ...termsValues, statusKey: bytes },
  row: {},
})
