import { readFile } from 'node:fs/promises'
import { verifyEvidence } from '@age-verification/client/offline'

const [evidence, jwks] = await Promise.all(['evidence.jwt', 'jwks.json'].map(file => readFile(file, 'utf8')))
const kept = { issuer: process.env.SERVICE_URL, audience: process.env.TENANT_ID, jwks: JSON.parse(jwks) }
const { valid, reason, claims } = await verifyEvidence(evidence.trim(), kept)
console.log(valid ? `${claims.month}: ${claims.counts.approved} approved` : `not authentic: ${reason}`)
