import type { Context } from 'koa'

const bodyBytesMax = 1_048_576

/** Reads the raw bytes, which signatures are computed over. */
export async function readBody(ctx: Context): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bodyBytesMax) ctx.throw(413, 'The body is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
