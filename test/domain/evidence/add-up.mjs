// Verifies and adds up the evidence of a month with nothing but its file and the public keys: node add-up.mjs FILE KEYS
import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [file, keys] = process.argv.slice(2).map(name => readFileSync(name, 'utf8').trim())
const [header, payload, signature] = file.split('.')
const decode = part => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
const { alg, kid, typ } = decode(header)
if (alg !== 'ES256' || typ !== 'age-evidence+jwt') throw new Error(`no evidence: ${alg}, ${typ}`)
const jwk = JSON.parse(keys).keys.find(key => key.kid === kid)
if (!jwk) throw new Error(`no key ${kid}`)
const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }
const signed = Buffer.from(`${header}.${payload}`)
if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) throw new Error('not authentic')
const { month, counts: c } = decode(payload)
const sums = {
  verifications: [
    c.openBefore + c.started,
    c.approved + c.denied + c.rejected + c.submitted + c.resubmission + c.erased + c.openAtEnd,
  ],
  ages: [c.approved, c.over18 + c.under18 + c.ageUnknown],
  adults: [c.over18, c.adultsByDate + c.adultsByYear + c.adultsByEstimate],
}
for (const [name, [one, other]] of Object.entries(sums))
  if (one !== other) throw new Error(`${month}: ${name} don't add up, ${one} and ${other}`)
console.log(JSON.stringify({ month, counts: c }))
