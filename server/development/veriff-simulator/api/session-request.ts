import type { SessionRequest } from '../session/create-session.ts'
import { ProviderApiError } from './api-error.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const vendorDataLengthMax = 1000

/** What a session is made of; prefilled data about the person is accepted and forgotten. */
export function readSessionRequest(
  verification: Record<string, unknown>,
  allowHttpCallback: boolean,
): SessionRequest {
  return {
    vendorData: readVendorData(verification.vendorData ?? null),
    endUserId: readEndUserId(verification.endUserId ?? null),
    callback: readCallback(verification.callback ?? null, allowHttpCallback),
  }
}

function readVendorData(value: unknown): string | null {
  if (value === null) return null
  if (typeof value !== 'string') throw new ProviderApiError(1501)
  if (value.length > vendorDataLengthMax) throw new ProviderApiError(1500)
  return value
}

function readEndUserId(value: unknown): string | null {
  if (value === null) return null
  if (typeof value !== 'string' || !uuid.test(value)) throw new ProviderApiError(1104)
  return value
}

function readCallback(value: unknown, allowHttp: boolean): string | null {
  if (value === null) return null
  if (typeof value !== 'string' || !URL.canParse(value)) throw new ProviderApiError(1302)
  const { protocol } = new URL(value)
  if (protocol !== 'https:' && !(allowHttp && protocol === 'http:')) throw new ProviderApiError(1302)
  return value
}
