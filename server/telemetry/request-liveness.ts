import { Client } from 'undici'

export const livenessResults = [
  'ok',
  /** The host has no address, or its name servers don't answer. */
  'dns',
  /** No TCP connection, or it closed before a response. */
  'connect',
  /** No TLS connection with a certificate that is valid for the host. */
  'tls',
  'timeout',
  /** A status other than 200: of a proxy without a process that is ready, or a redirect. */
  'status',
  /** Not from this service: a login page, another program. */
  'foreign_response',
] as const
export type LivenessResult = (typeof livenessResults)[number]

export interface Liveness {
  result: LivenessResult
  /** What happened, without anything of the response but its status. */
  reason: string
}

const deadlineMs = 5_000
/** The response of the service has 15. */
const responseBytesMax = 1_024

/** Asks for `/health/live` at the public address, on a new connection, as tenants and the provider would. */
export async function requestLiveness(baseUrl: string): Promise<Liveness> {
  const { origin, pathname } = new URL(`${baseUrl}/health/live`)
  const options = { connect: { timeout: deadlineMs }, maxResponseSize: responseBytesMax, allowH2: false }
  const client = new Client(origin, options)
  try {
    const signal = AbortSignal.timeout(deadlineMs)
    const { statusCode, headers, body } = await client.request({ path: pathname, method: 'GET', signal })
    // It may remain unread, however large it is, and ends with the connection.
    body.on('error', () => undefined)
    if (statusCode !== 200) return { result: 'status', reason: `status ${statusCode}` }
    if (isOwnLiveness(await body.text(), headers['x-request-id'])) return { result: 'ok', reason: 'ok' }
    return { result: 'foreign_response', reason: foreign }
  } catch (error) {
    const result = classifyFailure(error as Error)
    return { result, reason: reasons[result] ?? connectionCode(error as Error) }
  } finally {
    client.destroy().catch(() => undefined)
  }
}

const requestIdPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Many programs say that they are ok; with the id of a request, only this one does. */
export function isOwnLiveness(text: string, requestId: unknown): boolean {
  return text === '{"status":"ok"}' && typeof requestId === 'string' && requestIdPattern.test(requestId)
}

const foreign = 'the response is not from this service'
const reasons: Partial<Record<LivenessResult, string>> = {
  timeout: `no response within ${deadlineMs / 1_000} s`,
  foreign_response: foreign,
}

/** Such as `ECONNREFUSED`. Messages of drivers may quote what they got. */
function connectionCode({ name, code }: NodeJS.ErrnoException): string {
  return code ?? name
}

/** What an error of the connection or the driver means. */
export function classifyFailure({ name, code = '' }: NodeJS.ErrnoException): LivenessResult {
  if (name === 'TimeoutError' || /^(UND_ERR_\w+_TIMEOUT|ETIMEDOUT)$/.test(code)) return 'timeout'
  if (/^(ENOTFOUND|ENODATA|EAI_\w+)$/.test(code)) return 'dns'
  if (name === 'HTTPParserError' || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'foreign_response'
  return tlsCodes.test(code) ? 'tls' : 'connect'
}

/** Of Node's TLS, of OpenSSL's, and of its verification of certificates. */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_|HOSTNAME_MISMATCH$|PATH_LENGTH_)/
