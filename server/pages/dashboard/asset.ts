import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

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

  get type(): string {
    return mediaTypes[extname(this.path)] ?? 'application/octet-stream'
  }

  /** Vite puts a hash of the content into the file names in this folder. */
  get isImmutable(): boolean {
    return this.path.startsWith('assets/')
  }

  /** Small files and already compressed formats gain nothing. */
  get isCompressible(): boolean {
    return this.bytes.length >= 1_024 && /^text|json|javascript|svg/.test(this.type)
  }

  compressed(encoding: Encoding): Promise<Buffer> {
    const cached = this.#compressed.get(encoding)
    if (cached) return cached
    const compressed = encoding === 'br' ? promisify(brotliCompress)(this.bytes) : promisify(gzip)(this.bytes)
    this.#compressed.set(encoding, compressed)
    return compressed
  }
}

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
