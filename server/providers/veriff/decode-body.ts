import { brotliDecompressSync, unzipSync } from 'node:zlib'

const decoders = new Map([
  ['gzip', unzipSync],
  ['x-gzip', unzipSync],
  ['deflate', unzipSync],
  ['br', brotliDecompressSync],
])

/** Each stage is bounded, and so is their number. */
const codingsMax = 3

/**
 * The body without its content codings, which a proxy can apply although nobody asked for one. A body that can't be decoded,
 * or has more than `bytesMax` bytes then, stays as it arrived: a proxy that has decoded it can leave the header, and a
 * body that isn't JSON is rejected like any other.
 */
export function decodeBody(bytes: Buffer, contentEncoding: string, bytesMax: number): Buffer {
  const codings = contentEncoding.toLowerCase().split(',')
  const chain = codings.flatMap(coding => decoders.get(coding.trim()) ?? []).reverse()
  if (chain.length > codingsMax) return bytes
  try {
    return chain.reduce((encoded, decode) => decode(encoded, { maxOutputLength: bytesMax }), bytes)
  } catch {
    return bytes
  }
}
