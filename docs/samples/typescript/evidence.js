import { readFile } from 'node:fs/promises'
import { verifyEvidence } from '@age-verification/client/offline'

const [evidence, jwks] = await Promise.all(
  ['evidence.json', 'jwks.json'].map(async file => JSON.parse(await readFile(file, 'utf8'))),
)
const kept = { issuer: process.env.SERVICE_URL, audience: process.env.TENANT_ID, jwks }
const { valid, reason, claims } = await verifyEvidence(evidence.jws, kept)
console.log(valid ? `${claims.month}: ${claims.counts.approved} approved` : `not authentic: ${reason}`)
