import { inflateSync } from 'node:zlib'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const { SERVICE_URL, TENANT_ID } = process.env
if (!SERVICE_URL || !TENANT_ID) throw new Error('Set SERVICE_URL and TENANT_ID')
const keys = createRemoteJWKSet(new URL(`${SERVICE_URL}/.well-known/jwks.json`))
const signed = { issuer: SERVICE_URL, algorithms: ['ES256'] }
/** As the service spells it: jose ignores white space, padding, and the last 4 bits. */
const spelling = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/

export async function isAdult(token) {
  if (!spelling.test(token)) throw new TypeError('The token is malformed')
  const expected = { ...signed, audience: TENANT_ID, typ: 'JWT', requiredClaims: ['exp', 'status'] }
  const { payload } = await jwtVerify(token, keys, expected)
  return payload.over18 === true && !(await isRevoked(payload.status.status_list))
}

/** In production, keep each list for its ttl. */
async function isRevoked({ idx, uri }) {
  const list = await (await fetch(uri, { cache: 'no-store' })).text()
  const expected = { ...signed, subject: uri, typ: 'statuslist+jwt', requiredClaims: ['exp', 'status_list'] }
  const { payload } = await jwtVerify(list, keys, expected)
  const bits = inflateSync(Buffer.from(payload.status_list.lst, 'base64url'))
  if (!(idx >= 0 && idx < bits.length * 8)) throw new RangeError(`The list has no index ${idx}`)
  return ((bits[idx >> 3] >> (idx & 7)) & 1) === 1
}
