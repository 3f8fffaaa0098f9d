import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Context } from 'koa'

/** The server's order applies, not the client's: browsers list gzip first but accept brotli as well. */
const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

/** One file in memory, such as one of the built dashboard. It is compressed once per encoding, on first use. */
export class Asset {
  readonly path: string
  readonly bytes: Buffer
  readonly etag: string
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()

  constructor(path: string, bytes: Buffer) {
    this.path = path
    this.bytes = bytes
    this.etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  }

  /** Vite puts a hash of the content into the file names in this folder. */
  get isImmutable(): boolean {
    return this.path.startsWith('assets/')
  }

  /** Small files and already compressed formats gain nothing. */
  get isCompressible(): boolean {
    return this.bytes.length >= 1_024 && /\.(css|html|js|json|md|svg|txt)$/.test(this.path)
  }

  compressed(encoding: Encoding): Promise<Buffer> {
    const cached = this.#compressed.get(encoding)
    if (cached) return cached
    const compressed = encoding === 'br' ? promisify(brotliCompress)(this.bytes) : promisify(gzip)(this.bytes)
    this.#compressed.set(encoding, compressed)
    return compressed
  }
}

/** Sends a file in the best encoding that the client accepts, or 304 if the client's copy is current. */
export async function sendAsset(
  ctx: Context,
  asset: Asset,
  cacheControl = asset.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
): Promise<void> {
  const accepts = (encoding: Encoding) => ctx.acceptsEncodings(encoding) === encoding
  const encoding = asset.isCompressible ? encodings.find(accepts) : undefined
  ctx.set('Cache-Control', cacheControl)
  ctx.vary('Accept-Encoding')
  // An entity tag identifies one representation, so each encoding has its own (RFC 9110, 8.8.3.3).
  ctx.etag = encoding ? `${asset.etag}-${encoding}` : asset.etag
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  ctx.type = extname(asset.path)
  if (encoding) ctx.set('Content-Encoding', encoding)
  ctx.body = encoding ? await asset.compressed(encoding) : asset.bytes
}
