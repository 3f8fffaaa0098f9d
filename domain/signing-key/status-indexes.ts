import { createCipheriv, randomBytes } from 'node:crypto'
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
 * Reserves the first indexes of the terms, whose `token_signer` is added if there is none, and further ones when these are
 * used. If the database loses its last commits in a failover, two tokens may get the same index: revoking one
 * of them then also revokes the other for whoever checks it offline.
 */
export async function openStatusIndexes(pool: StatementPool, terms: TokenTerms): Promise<StatusIndexes> {
  let current = await reserve(pool, terms)
  let shuffled: { list: number; indexes: Uint32Array } | undefined
  let reserving: Promise<void> | undefined
  /** Nobody who comes later finds the used-up ones, and reserves again. */
  async function reserveFurther(): Promise<void> {
    try {
      current = await reserve(pool, terms)
    } finally {
      reserving = undefined
    }
  }
  async function next(): Promise<number> {
    while (current.next === current.end) {
      reserving ??= reserveFurther()
      await reserving
    }
    const position = current.next++
    const list = Math.floor(position / statusListSize)
    if (shuffled?.list !== list) shuffled = { list, indexes: shuffledIndexes(list, current.key) }
    return list * statusListSize + shuffled.indexes[position % statusListSize]!
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
 * The indexes of a list in the order in which its tokens get them: a Fisher–Yates shuffle whose random numbers are AES-CTR
 * with the key of the signer. So all processes have the same order, and indexes reveal neither the order of tokens nor
 * how many there are in a list. Takes a few milliseconds, once for each list.
 */
export function shuffledIndexes(list: number, key: Buffer): Uint32Array {
  const counter = Buffer.alloc(16)
  counter.writeUInt32BE(list)
  const random = createCipheriv('aes-128-ctr', key, counter).update(Buffer.alloc(4 * statusListSize))
  const indexes = Uint32Array.from({ length: statusListSize }, (_, at) => at)
  for (let at = statusListSize - 1; at > 0; at--) {
    const other = random.readUInt32LE(4 * at) % (at + 1)
    const index = indexes[at]!
    indexes[at] = indexes[other]!
    indexes[other] = index
  }
  return indexes
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
