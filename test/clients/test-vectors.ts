import { readFileSync } from 'node:fs'

/** The fields are described in `clients/test-vectors/README.md`. */
interface WebhookVector {
  name: string
  secrets: string[]
  headers: [name: string, value: string][]
  /** In base64. */
  body: string
  bodyText: string | null
  now: string
  toleranceSeconds: number
  verdict: 'valid' | 'invalid'
  reason: string
}

interface ApiKeyVector {
  name: string
  key: string
  verdict: 'valid' | 'invalid'
  reason: string
}

export interface TokenVector {
  name: string
  token: string
  issuer: string
  audience: string
  now: string
  jwks: { keys: { kid: string }[] }
  statusLists: Record<string, string>
  verdict: 'valid' | 'invalid' | 'undecided'
  reason: string
  online: string
}

export const webhookVectors = readVectors<WebhookVector>('webhook-signatures')
export const apiKeyVectors = readVectors<ApiKeyVector>('api-keys')
export const tokenVectors = readVectors<TokenVector>('tokens')

function readVectors<Vector>(name: string): Vector[] {
  return JSON.parse(readFileSync(`clients/test-vectors/${name}.json`, 'utf8')).vectors
}
