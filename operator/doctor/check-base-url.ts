import { z } from 'zod'
import type { Config } from '#server/configuration/config.ts'
import { type Check, check, Fault } from './check.ts'
import { describeFetchError } from './describe-fetch-error.ts'

/** Of all requests together. */
const deadlineMs = 5_000

const keySet = z.object({ keys: z.array(z.object({ kid: z.string() })) })
const errorEnvelope = z.object({ error: z.string() })

interface BaseUrlOptions {
  /** Of the signing keys in the database. */
  publishedKids?: string[] | undefined
  /** The names of the checks of the database that found a fault, which may be that of the service. */
  databaseFaults: readonly string[]
}

/** Uses the public address as the provider and the tenants do. */
export async function checkBaseUrl(
  { baseUrl }: Config,
  { publishedKids, databaseFaults }: BaseUrlOptions,
): Promise<Check> {
  return await check('base-url', async () => {
    const signal = AbortSignal.timeout(deadlineMs)
    const send = (path: string, method?: string) => request(baseUrl, path, { method, databaseFaults, signal })
    await assertServed(baseUrl, send)
    await assertOwnKeys(baseUrl, send, publishedKids)
    await assertCallbackRouted(baseUrl, send)
    return `${baseUrl} leads to this service`
  })
}

type Send = (path: string, method?: string) => Promise<Response>

async function assertServed(baseUrl: string, send: Send): Promise<void> {
  const response = await send('/health/live')
  const { status, headers } = response
  const begin = `BASE_URL ${baseUrl}: /health/live`
  if (status >= 300 && status < 400) {
    throw new Fault(
      `${begin} is redirected to ${originOf(headers.get('location'), baseUrl)}: set BASE_URL to the address that serves, or let the proxy pass requests on without a login`,
    )
  }
  if (status !== 200) {
    throw new Fault(`${begin} returned status ${status}: check the proxy’s routes, and that the service runs`)
  }
  if (isOwnLiveness(await response.text(), headers.get('x-request-id'))) return
  throw new Fault(
    `${begin} is answered, but not by this service: by a login, a page of the proxy, or another program. Check DNS and the proxy’s routes`,
  )
}

const requestIdPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Many programs say that they are ok; with the id of a request, only this one does. */
function isOwnLiveness(text: string, requestId: string | null): boolean {
  return text === '{"status":"ok"}' && requestId !== null && requestIdPattern.test(requestId)
}

/** Without the path and query, which may have a secret of whoever redirects. */
function originOf(location: string | null, baseUrl: string): string {
  return URL.parse(location ?? '', baseUrl)?.origin ?? 'nowhere'
}

/** Another service, or one on another database, has other keys. */
async function assertOwnKeys(baseUrl: string, send: Send, publishedKids: string[] = []): Promise<void> {
  const response = await send('/.well-known/jwks.json')
  const parsed = keySet.safeParse(await response.json().catch(() => undefined))
  const kids = new Set(parsed.data?.keys.map(({ kid }) => kid))
  if (publishedKids.every(kid => kids.has(kid))) return
  throw new Fault(
    `BASE_URL ${baseUrl} leads to a service on another database, or the proxy caches /.well-known/jwks.json for too long: check both`,
  )
}

/** Without credentials it's rejected, but by this service. */
async function assertCallbackRouted(baseUrl: string, send: Send): Promise<void> {
  const response = await send('/verify/callback', 'POST')
  const body = errorEnvelope.safeParse(await response.json().catch(() => undefined))
  if (response.status === 403 && body.data?.error === 'FORBIDDEN') return
  throw new Fault(
    `BASE_URL ${baseUrl}: POST /verify/callback does not reach the service (status ${response.status}), so the provider’s results are lost: route it without authentication`,
  )
}

interface RequestOptions {
  method?: string | undefined
  databaseFaults: readonly string[]
  signal: AbortSignal
}

/** What to do, by how a request failed. */
const advices = {
  dns: 'Check the name, and DNS as this machine sees it',
  connect: 'Start the service and the proxy, or check the port and firewalls',
  tls: 'Renew the certificate, or let it name this host',
  timeout: 'The proxy or the service is frozen, or a firewall drops what is sent: see both, and their logs',
  foreign: 'Check the proxy',
}

/** What an error of the connection means. */
function classifyFailure({ name, code = '' }: NodeJS.ErrnoException): keyof typeof advices {
  if (name === 'TimeoutError' || /^(UND_ERR_\w+_TIMEOUT|ETIMEDOUT)$/.test(code)) return 'timeout'
  if (/^(ENOTFOUND|ENODATA|EAI_\w+)$/.test(code)) return 'dns'
  if (name === 'HTTPParserError') return 'foreign'
  return tlsCodes.test(code) ? 'tls' : 'connect'
}

/** Of Node's TLS, of OpenSSL's, and of its verification of certificates. */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_|HOSTNAME_MISMATCH$|PATH_LENGTH_)/

/** Throws a `Fault` if there is no response, or an error in the envelope of the service. */
async function request(baseUrl: string, path: string, options: RequestOptions): Promise<Response> {
  const { method = 'GET', databaseFaults, signal } = options
  const response = await fetch(`${baseUrl}${path}`, { method, redirect: 'manual', signal }).catch(error => {
    const advice =
      databaseFaults.length > 0 && error.name === 'TimeoutError'
        ? `The service may wait for PostgreSQL: first fix ${databaseFaults.join(', ')}`
        : advices[classifyFailure(error.cause ?? error)]
    throw new Fault(`BASE_URL ${baseUrl}: ${describeFetchError(error)}. ${advice}`)
  })
  if (response.status < 500) return response
  const body = errorEnvelope.safeParse(
    await response
      .clone()
      .json()
      .catch(() => undefined),
  )
  if (!body.success) return response
  const advice =
    databaseFaults.length > 0
      ? `first fix ${databaseFaults.join(', ')}`
      : 'see /health/ready of each process, without which the proxy responds so, and their logs'
  throw new Fault(`BASE_URL ${baseUrl}: ${path} responds with ${body.data.error}: ${advice}`)
}
