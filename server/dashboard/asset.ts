import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** One built file, held in memory; compressed on its first use, once per encoding. */
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

  /** Vite writes a hash of the content into the names of the files in this folder. */
  get isImmutable(): boolean {
    return this.path.startsWith('assets/')
  }

  /** Small files and those that are compressed already gain nothing. */
  get isCompressible(): boolean {
    return this.bytes.length >= 1_024 && /^text|json|javascript|svg/.test(this.type)
  }

  compressed(encoding: Encoding): Promise<Buffer> {
    const known = this.#compressed.get(encoding)
    if (known) return known
    const made = encoding === 'br' ? promisify(brotliCompress)(this.bytes) : promisify(gzip)(this.bytes)
    this.#compressed.set(encoding, made)
    return made
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
