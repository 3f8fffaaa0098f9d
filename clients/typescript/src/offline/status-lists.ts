import type { CompactVerifyGetKey } from 'jose'
import { isRecord } from '../json.ts'
import { readBytes } from '../read-bounded.ts'
import { type ReadDocument, unusable } from './published-document.ts'
import { decodeBytes, readClaims } from './read-claims.ts'
import { Rejection } from './rejection.ts'
import type { StatusReference } from './status-reference.ts'

interface StatusList {
  bits: Uint8Array
  /** Until when it is not read again, in milliseconds since the epoch. */
  freshUntil: number
  /** Until when it is used while it can't be read again, in milliseconds since the epoch. */
  usableUntil: number
}

interface StatusListsOptions {
  /** Lists are below this address. */
  issuer: string
  read: ReadDocument
  keys: CompactVerifyGetKey
  now: () => Date
}

/** After a failure, a list that is still usable is not read again for this long, so that an outage isn't made worse. */
const retryMs = 1_000

/** IETF Token Status Lists (draft-ietf-oauth-status-list), cached for their `ttl`. */
export class StatusLists {
  readonly #options: StatusListsOptions
  readonly #lists = new Map<string, { list?: StatusList; reading?: Promise<StatusList> | undefined }>()

  constructor(options: StatusListsOptions) {
    this.#options = options
  }

  /**
   * Whether a token with this reference is revoked, as of the list's `ttl`. The reference must be of a verified token, as
   * every list is kept. Throws a `ServiceConnectionError` if the list can't be read or verified.
   */
  async isRevoked({ idx, uri }: StatusReference): Promise<boolean> {
    const { bits } = await this.#current(uri)
    const byte = bits[Math.floor(idx / 8)]
    if (byte === undefined) throw unusable(uri, `it has no index ${idx}`)
    return ((byte >> (idx % 8)) & 1) === 1
  }

  async #current(uri: string): Promise<StatusList> {
    const nowMs = this.#options.now().getTime()
    const cached = this.#lists.get(uri) ?? {}
    this.#lists.set(uri, cached)
    if (cached.list && nowMs < cached.list.freshUntil) return cached.list
    cached.reading ??= readList(uri, this.#options).finally(() => {
      cached.reading = undefined
    })
    try {
      cached.list = await cached.reading
    } catch (error) {
      if (!cached.list || nowMs >= cached.list.usableUntil) throw error
      cached.list.freshUntil = Math.min(nowMs + retryMs, cached.list.usableUntil)
    }
    return cached.list
  }
}

async function readList(uri: string, options: StatusListsOptions): Promise<StatusList> {
  const { issuer, read, keys, now } = options
  if (!uri.startsWith(`${issuer}/`)) throw unusable(uri, 'it is not an address of the service')
  const jwt = await read(uri.slice(issuer.length), 'application/statuslist+jwt')
  try {
    const expected = { typ: 'statuslist+jwt', iss: issuer } as const
    const { exp, sub, ttl, status_list: list } = await readClaims(jwt.trim(), keys, expected, now())
    if (sub !== uri) throw new TypeError('it is that of another address')
    if (typeof ttl !== 'number' || !isRecord(list) || typeof list.lst !== 'string')
      throw new TypeError('it lacks a claim')
    if (list.bits !== 1) throw new RangeError(`it has ${list.bits} bits for each token`)
    const bits = await inflate(decodeBytes(list.lst))
    const freshUntil = Math.min(now().getTime() + ttl * 1000, exp * 1000)
    return { bits, freshUntil, usableUntil: exp * 1000 }
  } catch (error) {
    const clock = `it has expired by this machine's clock, ${now().toISOString()}; compare the clocks`
    const isExpired = error instanceof Rejection && error.reason === 'TOKEN_EXPIRED'
    throw unusable(uri, isExpired ? clock : error)
  }
}

/** Decompresses the zlib format (RFC 1950). */
async function inflate(compressed: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([Uint8Array.from(compressed)]).stream()
  const bits = await readBytes(stream.pipeThrough(new DecompressionStream('deflate')))
  if (!bits) throw new RangeError('it is longer than any list of the service')
  return bits
}
