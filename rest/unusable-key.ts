import type { IncomingHttpHeaders } from 'node:http'
import { keyLength, keyPrefix, testKeyPrefix } from '#domain/api-key/key-value.ts'
import { DomainError } from '#domain/errors.ts'

export const keyHeader = 'x-tenant-api-key'

const remedy = `Send your API key in the header ${keyHeader}.`

/**
 * The error for a request whose key is missing or can't be one: what the request shows by itself, without a look-up. So
 * it never tells whether a key exists.
 */
export function unusableKey(headers: IncomingHttpHeaders): DomainError {
  const key = headers[keyHeader]
  if (typeof key === 'string' && key !== '') return keyError('malformed', findFault(key))
  const other = otherCredentials(headers)
  if (other) return keyError('unsupported_header', `${other} is not accepted here. ${remedy}`)
  const fact = key === '' ? `The header ${keyHeader} is empty.` : 'No API key was sent.'
  return keyError('missing', `${fact} ${remedy}`)
}

/** The header in which other services expect a key. */
function otherCredentials({ authorization, 'x-api-key': apiKey }: IncomingHttpHeaders): string | undefined {
  if (authorization !== undefined) {
    return /^Bearer\b/i.test(authorization) ? 'Authorization: Bearer' : 'The header Authorization'
  }
  return apiKey === undefined ? undefined : 'The header X-API-Key'
}

const keyForms = [keyPrefix, testKeyPrefix].map(
  prefix => `begins with ${prefix} and has ${keyLength(prefix)}`,
)

/** Why a value can't be a key. */
function findFault(value: string): string {
  const first = value.indexOf(keyPrefix)
  if (first === -1) {
    return `The value of ${keyHeader} is not an API key: a key ${keyForms.join(', or ')} characters.`
  }
  const hasSecond = value.includes(keyPrefix, first + 1)
  if (hasSecond) return `The header ${keyHeader} has more than one API key. Send one.`
  if (first > 0) return `The header ${keyHeader} has something before the API key. Send the key alone.`
  const fault =
    value.length === keyLength(value)
      ? 'its checksum is wrong'
      : `it has ${value.length} characters instead of ${keyLength(value)}`
  return `The API key is mistyped or cut short: ${fault}. A lost key is replaced by creating a new one.`
}

function keyError(reason: 'missing' | 'unsupported_header' | 'malformed', message: string): DomainError {
  return new DomainError('UNAUTHENTICATED_TENANT', { message, details: { reason } })
}
