import type { RouterContext } from '@koa/router'
import { ProviderApiError } from './api-error.ts'

const bodyBytesMax = 1_048_576

/** The very bytes, as the signature is over them. */
export async function readBytes(ctx: RouterContext): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bodyBytesMax) throw new ProviderApiError(1104)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The `verification` object that every request body carries. */
export function parseVerification(bytes: Buffer): Record<string, unknown> {
  const body = parse(bytes)
  if (!isRecord(body)) throw new ProviderApiError(1104)
  if (body.verification === undefined) throw new ProviderApiError(1102)
  if (!isRecord(body.verification)) throw new ProviderApiError(1104)
  return body.verification
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new ProviderApiError(1104)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
