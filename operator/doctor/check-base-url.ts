import { z } from 'zod'
import type { Config } from '#server/configuration/config.ts'
import { check, type Examined, Fault } from './check.ts'
import { describeFetchError, readJson } from './describe-fetch-error.ts'

/** Of all requests together. */
const deadlineMs = 5_000

const keySet = z.object({ keys: z.array(z.object({ kid: z.string() })) })
const errorEnvelope = z.object({ error: z.string() })

/** Uses the public address as the provider and the tenants do. `publishedKids`: of the signing keys in the database. */
export async function checkBaseUrl(
  { baseUrl }: Config,
  publishedKids: readonly string[] = [],
): Promise<Examined> {
  return await check('base-url', async () => {
    const signal = AbortSignal.timeout(deadlineMs)
    const send = async (path: string, method = 'GET') =>
      await fetch(`${baseUrl}${path}`, { method, redirect: 'manual', signal }).catch(error => {
        throw new Fault(
          `BASE_URL ${baseUrl}: ${describeFetchError(error)}: check DNS, the proxy, its certificate and firewalls, and that the service runs`,
          { cause: error },
        )
      })
    await assertServed(baseUrl, await send('/health/live'))
    await assertOwnKeys(baseUrl, await send('/.well-known/jwks.json'), publishedKids)
    await assertCallbackRouted(baseUrl, await send('/verify/callback', 'POST'))
    return `${baseUrl} leads to this service`
  })
}

async function assertServed(baseUrl: string, response: Response): Promise<void> {
  const { status, headers } = response
  if (status === 200 && isOwnLiveness(await response.text(), headers.get('x-request-id'))) return
  const answer = status === 200 ? 'by another program' : `with status ${status}`
  throw new Fault(
    `BASE_URL ${baseUrl}: /health/live is answered ${answer}: check DNS and the proxy’s routes, that nothing redirects or asks for a login, and that the service runs`,
  )
}

const requestIdPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Many programs say that they are ok; with the id of a request, only this one does. */
function isOwnLiveness(text: string, requestId: string | null): boolean {
  return text === '{"status":"ok"}' && requestId !== null && requestIdPattern.test(requestId)
}

/** Another service, or one on another database, has other keys. */
async function assertOwnKeys(
  baseUrl: string,
  response: Response,
  publishedKids: readonly string[],
): Promise<void> {
  const body = await readJson(response)
  const kids = new Set(keySet.safeParse(body).data?.keys.map(({ kid }) => kid))
  if (publishedKids.every(kid => kids.has(kid))) return
  throw new Fault(
    response.status === 200
      ? `BASE_URL ${baseUrl} leads to a service on another database, or the proxy caches /.well-known/jwks.json for too long: check both`
      : `BASE_URL ${baseUrl}: /.well-known/jwks.json has status ${response.status}: see /health/ready of each process, and their logs`,
  )
}

/** Without credentials it's rejected, but by this service. */
async function assertCallbackRouted(baseUrl: string, response: Response): Promise<void> {
  const body = errorEnvelope.safeParse(await readJson(response))
  if (response.status === 403 && body.data?.error === 'FORBIDDEN') return
  throw new Fault(
    `BASE_URL ${baseUrl}: POST /verify/callback does not reach the service (status ${response.status}), so the provider’s results are lost: route it without authentication`,
  )
}
