import { fromBase64Url } from '../bytes.ts'
import { isRecord } from '../json.ts'
import { CachedDocument, type LoadedDocument } from './cached-document.ts'
import { type DocumentOptions, fetchDocument, unusable } from './fetch-document.ts'
import { inflate } from './inflate.ts'
import { parseJwt } from './jwt.ts'
import type { KeySet } from './key-set.ts'

/** Where the status of a token is, from its claim `status.status_list`. */
export interface StatusReference {
  idx: number
  uri: string
}

interface StatusList {
  bits: number
  bytes: Uint8Array
}

export interface StatusListsOptions extends DocumentOptions {
  /** Lists are below this address, */
  issuer: string
  /** and are read at this one. */
  baseUrl: string
  keys: KeySet
  now: () => Date
}

const listsMax = 1_000
const listBytesMax = 4 * 1024 * 1024

/** IETF Token Status Lists (draft-ietf-oauth-status-list), cached for their `ttl`. */
export class StatusLists {
  readonly #options: StatusListsOptions
  readonly #lists = new Map<string, CachedDocument<StatusList>>()

  constructor(options: StatusListsOptions) {
    this.#options = options
  }

  /**
   * Whether a token with this reference is revoked, as of the list's `ttl`. The reference must be of a verified token, as
   * every list is kept. Throws a `ServiceConnectionError` if the list can't be read or verified.
   */
  async isRevoked({ idx, uri }: StatusReference): Promise<boolean> {
    const { bits, bytes } = await this.#list(uri).current()
    const byte = bytes[Math.floor((idx * bits) / 8)]
    if (byte === undefined) throw unusable(uri, `it has no index ${idx}`)
    const status = (byte >> ((idx * bits) % 8)) & (2 ** bits - 1)
    return status !== 0
  }

  #list(uri: string): CachedDocument<StatusList> {
    const known = this.#lists.get(uri)
    if (known) return known
    const list = new CachedDocument(() => loadList(uri, this.#options))
    if (this.#lists.size >= listsMax) this.#lists.delete(this.#lists.keys().next().value!)
    this.#lists.set(uri, list)
    return list
  }
}

const mediaType = 'application/statuslist+jwt'

async function loadList(uri: string, options: StatusListsOptions): Promise<LoadedDocument<StatusList>> {
  const { issuer, baseUrl } = options
  if (!uri.startsWith(`${issuer}/`)) throw unusable(uri, 'it is not an address of the service')
  const { text } = await fetchDocument(baseUrl + uri.slice(issuer.length), mediaType, options)
  const jwt = parseJwt(text.trim())
  if (jwt?.header.typ !== 'statuslist+jwt' || jwt.header.alg !== 'ES256')
    throw unusable(uri, 'it is no status list')
  if (!(await options.keys.verify(jwt))) throw unusable(uri, 'its signature is not valid')
  const { sub, exp, ttl, status_list: list } = jwt.payload
  const lifetimeMs = typeof exp === 'number' ? exp * 1000 - options.now().getTime() : Number.POSITIVE_INFINITY
  if (sub !== uri) throw unusable(uri, 'it is the list of another address')
  if (lifetimeMs <= 0) throw unusable(uri, 'it has expired')
  const freshMs = Math.min(typeof ttl === 'number' ? ttl * 1000 : 0, lifetimeMs)
  const usableMs = typeof exp === 'number' ? lifetimeMs : freshMs
  return { value: await readList(list, uri), freshMs, usableMs }
}

async function readList(list: unknown, uri: string): Promise<StatusList> {
  const { bits, lst } = isRecord(list) ? list : {}
  const compressed = typeof lst === 'string' ? fromBase64Url(lst) : undefined
  const bytes = compressed && (await inflate(compressed, listBytesMax))
  if (!bytes || ![1, 2, 4, 8].includes(bits as number)) throw unusable(uri, 'its status_list is malformed')
  return { bits: bits as number, bytes }
}
