import type { Context } from 'koa'
import { type Asset, type Encoding, encodings } from './asset.ts'

/** Sends a file in the best encoding that the client accepts, or 304 if the client's copy is current. */
export async function sendAsset(
  ctx: Context,
  asset: Asset,
  cacheControl = asset.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
): Promise<void> {
  const encoding = asset.isCompressible ? acceptedEncoding(ctx) : undefined
  ctx.set('Cache-Control', cacheControl)
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin')
  ctx.vary('Accept-Encoding')
  // An entity tag identifies one representation, so each encoding has its own (RFC 9110, 8.8.3.3).
  ctx.etag = encoding ? `${asset.etag}-${encoding}` : asset.etag
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  ctx.type = asset.type
  if (encoding) ctx.set('Content-Encoding', encoding)
  ctx.body = encoding ? await asset.compressed(encoding) : asset.bytes
}

/** The server's order applies, not the client's: browsers list gzip first but accept brotli as well. */
function acceptedEncoding(ctx: Context): Encoding | undefined {
  return encodings.find(encoding => ctx.acceptsEncodings(encoding) === encoding)
}
