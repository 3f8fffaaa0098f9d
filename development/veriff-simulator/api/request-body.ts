import type { RouterContext } from '@koa/router'
import type { SessionRequest } from '../session-actions.ts'
import { ProviderError } from './provider-error.ts'

const bodyBytesMax = 1_048_576

/** Reads the raw bytes, which the signature is computed over. */
export async function readBytes(ctx: RouterContext): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bodyBytesMax) throw new ProviderError(1104)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Parses the `verification` object that every request body contains. */
export function parseVerification(bytes: Buffer): Record<string, unknown> {
  const body = parse(bytes)
  if (!isRecord(body)) throw new ProviderError(1104)
  if (body.verification === undefined) throw new ProviderError(1102)
  if (!isRecord(body.verification)) throw new ProviderError(1104)
  return body.verification
}

/** The fields that a session stores; prefilled data about the person is accepted and ignored. */
export function readSessionRequest(verification: Record<string, unknown>): SessionRequest {
  return {
    vendorData: readVendorData(verification.vendorData ?? null),
    endUserId: readEndUserId(verification.endUserId ?? null),
    callback: readCallback(verification.callback ?? null),
  }
}

const vendorDataLengthMax = 1000
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function readVendorData(value: unknown): string | null {
  if (value === null) return null
  if (typeof value !== 'string') throw new ProviderError(1501)
  if (value.length > vendorDataLengthMax) throw new ProviderError(1500)
  return value
}

function readEndUserId(value: unknown): string | null {
  if (value === null) return null
  if (typeof value !== 'string' || !uuid.test(value)) throw new ProviderError(1104)
  return value
}

function readCallback(value: unknown): string | null {
  if (value === null) return null
  if (typeof value !== 'string' || !URL.canParse(value)) throw new ProviderError(1302)
  if (new URL(value).protocol !== 'https:') throw new ProviderError(1302)
  return value
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new ProviderError(1104)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
