import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { z } from 'zod'
import type { Config } from '#server/config.ts'
import { type Check, check, Fault } from './check.ts'
import { describeFetchError } from './describe-fetch-error.ts'

const deadlineMs = 5_000
const daysLeftMin = 14
const dayMs = 24 * 60 * 60 * 1000

const keySet = z.object({ keys: z.array(z.object({ kid: z.string() })) })
const errorEnvelope = z.object({ error: z.string() })

/** Uses the public address as the provider and the tenants do. `publishedKids` are those of the database. */
export async function checkBaseUrl({ baseUrl }: Config, publishedKids?: string[]): Promise<Check> {
  return await check('base-url', async () => {
    await assertServed(baseUrl)
    await assertOwnKeys(baseUrl, publishedKids)
    await assertCallbackRouted(baseUrl)
    const daysLeft = await certificateDaysLeft(new URL(baseUrl))
    return `${baseUrl} leads to this service${daysLeft === undefined ? '' : `; its certificate is valid for ${daysLeft} days`}`
  })
}

async function assertServed(baseUrl: string): Promise<void> {
  const response = await request(baseUrl, '/health/live')
  if (response.status !== 200) {
    throw new Fault(
      `BASE_URL ${baseUrl}: /health/live returned status ${response.status}: check the proxy’s routes, and that the service runs`,
    )
  }
}

/** Another service, or one on another database, has other keys. */
async function assertOwnKeys(baseUrl: string, publishedKids: string[] = []): Promise<void> {
  const response = await request(baseUrl, '/.well-known/jwks.json')
  const parsed = keySet.safeParse(await response.json().catch(() => undefined))
  const kids = new Set(parsed.data?.keys.map(({ kid }) => kid))
  if (publishedKids.every(kid => kids.has(kid))) return
  throw new Fault(
    `BASE_URL ${baseUrl} leads to a service on another database, or the proxy caches /.well-known/jwks.json for too long: check both`,
  )
}

/** Without credentials it's rejected, but by this service. */
async function assertCallbackRouted(baseUrl: string): Promise<void> {
  const response = await request(baseUrl, '/verify/callback', 'POST')
  const body = errorEnvelope.safeParse(await response.json().catch(() => undefined))
  if (response.status === 403 && body.data?.error === 'FORBIDDEN') return
  throw new Fault(
    `BASE_URL ${baseUrl}: POST /verify/callback does not reach the service (status ${response.status}), so the provider’s results are lost: route it without authentication`,
  )
}

async function request(baseUrl: string, path: string, method = 'GET'): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(deadlineMs)
    return await fetch(`${baseUrl}${path}`, { method, redirect: 'manual', signal })
  } catch (error) {
    throw new Fault(
      `BASE_URL ${baseUrl}: ${describeFetchError(error)}. Start the service, or check DNS, the certificate and the proxy`,
    )
  }
}

/** Undefined for http. Throws a `Fault` if the certificate, which has been verified, ends within 14 days. */
export async function certificateDaysLeft({ protocol, hostname, port }: URL): Promise<number | undefined> {
  if (protocol !== 'https:') return undefined
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const name = isIP(host) === 0 ? { servername: host } : {}
  const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, ...name })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(deadlineMs) })
    const daysLeft = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs)
    if (daysLeft >= daysLeftMin) return daysLeft
    throw new Fault(`the certificate of BASE_URL ${hostname} ends in ${daysLeft} days: renew it`)
  } finally {
    socket.destroy()
  }
}
