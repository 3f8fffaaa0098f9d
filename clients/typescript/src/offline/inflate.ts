import type { Bytes } from '../bytes.ts'

/** Decompresses the zlib format (RFC 1950); undefined if it is malformed or longer than `bytesMax`. */
export async function inflate(compressed: Bytes, bytesMax: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    const reader = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('deflate')).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.length
      if (length > bytesMax) {
        await reader.cancel()
        return undefined
      }
      chunks.push(read.value)
    }
  } catch {
    return undefined
  }
  return joined(chunks, length)
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
