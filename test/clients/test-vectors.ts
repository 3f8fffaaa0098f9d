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
  /** Of `token-ages.json`. */
  maxAgeSeconds?: number | null
}

export interface EvidenceVector
  extends Pick<TokenVector, 'name' | 'issuer' | 'audience' | 'jwks' | 'reason'> {
  jws: string
  verdict: 'valid' | 'invalid'
}

export interface ResponseVector {
  name: string
  call: 'start' | 'status' | 'validate'
  status: number
  headers: Record<string, string>
  body: string
  encoding?: 'latin1' | 'utf-16le'
  verdict: 'result' | 'error'
  reason: string
  /** The rest is what the result or the error has. */
  valid?: boolean
  over18?: boolean | null
  completedAt?: string | null
  rateLimit?: { limit: number; remaining: number; resetsAt: string } | null
  message?: string
  retryAfterSeconds?: number | null
  attempts?: number
}

export interface OptionVector {
  name: string
  option: 'baseUrl' | 'issuer' | 'apiKey' | 'secret' | 'audience' | 'maxAgeSeconds'
  /** Of `maxAgeSeconds` of any type. */
  value: string | null
  verdict: 'valid' | 'invalid'
  reason: 'ok' | 'missing' | 'white_space' | 'not_an_address' | 'not_a_key' | 'not_an_age'
}

export const webhookVectors = readVectors<WebhookVector>('webhook-signatures')
export const apiKeyVectors = readVectors<ApiKeyVector>('api-keys')
export const tokenVectors = readVectors<TokenVector>('tokens')
export const ageVectors = readVectors<Omit<TokenVector, 'online'>>('token-ages')
export const evidenceVectors = readVectors<EvidenceVector>('evidence')
export const responseVectors = readVectors<ResponseVector>('responses')
export const optionVectors = readVectors<OptionVector>('options')

/** Tokens that the service says are valid, with what a client makes of them where they may be an hour old. */
export function onlineAges(now = Date.now()): { name: string; token: string; reason: string }[] {
  const seconds = Math.floor(now / 1000)
  const token = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AA`
  const tooOld = 'TOKEN_TOO_OLD'
  return [
    { name: 'young', token: token({ auth_time: seconds - 60, exp: 1 }), reason: 'OK' },
    {
      name: 'young, with other letters and signs',
      token: token({ sub: '>>>???üß≠', auth_time: seconds }),
      reason: 'OK',
    },
    { name: 'from the future', token: token({ auth_time: seconds + 90 }), reason: 'OK' },
    { name: 'an hour old', token: token({ auth_time: seconds - 3_600 }), reason: tooOld },
    { name: 'without auth_time', token: token({ exp: seconds }), reason: tooOld },
    { name: 'with auth_time as text', token: token({ auth_time: `${seconds}` }), reason: tooOld },
    { name: 'with a list as claims', token: token([{ auth_time: seconds }]), reason: tooOld },
    { name: 'of other base64', token: `e30.${'é'.repeat(8)}.AA`, reason: tooOld },
    { name: 'that is none', token: 'no token', reason: tooOld },
  ]
}

const [, signature] = webhookVectors[0]!.headers.find(([name]) => /signature/i.test(name))!

/** Headers of the first vector, as gateways and frameworks have them. */
export const headerVectors = [
  { name: 'lists', headers: { 'X-Webhook-Signature': [signature] }, reason: 'ok' },
  { name: 'none', headers: null, reason: 'signature_missing' },
  { name: 'null', headers: { 'x-webhook-signature': null }, reason: 'signature_missing' },
  { name: 'an empty list', headers: { 'x-webhook-signature': [] }, reason: 'signature_missing' },
  { name: 'two', headers: { 'x-webhook-signature': [signature, signature] }, reason: 'signature_malformed' },
  { name: 'a number', headers: { 'x-webhook-signature': 7 }, reason: 'signature_malformed' },
]

/** What a vector says about the outcome of a call. */
export function expectedOutcome(vector: ResponseVector): Record<string, unknown> {
  const { name: _, call, status, headers, body, encoding, verdict, ...outcome } = vector
  return outcome
}

/** What the error of an option must say. */
export const optionErrors: Record<OptionVector['reason'], RegExp> = {
  ok: /^$/,
  missing: /is missing/,
  white_space: /has white space or quotes/,
  not_an_address: /must be the http or https URL of the service/,
  not_a_key: /has characters that no key has/,
  not_an_age: /must be a whole number of seconds from 1 to 31536000/,
}

function readVectors<Vector>(name: string): Vector[] {
  return JSON.parse(readFileSync(`clients/test-vectors/${name}.json`, 'utf8')).vectors
}
