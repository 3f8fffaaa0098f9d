import { z } from 'zod'
import { discoverJwksUri } from '#console-api/issuer-keys.ts'
import type { Config } from '#server/configuration/config.ts'
import { isLoopbackHttp } from '#server/configuration/loopback.policy.ts'
import { check, type Examined, Fault, remoteMsMax } from './check.ts'
import { describeFetchError } from './describe-fetch-error.ts'

const keySet = z.object({ keys: z.array(z.object({ kty: z.string() })) })
const deadlineMs = 5_000

export async function checkIssuer({ oidcIssuer: issuer }: Config): Promise<Examined> {
  const examine = async () => (issuer ? await describeIssuer(issuer) : 'the local sign-in provider')
  return await check('sign-in-provider', examine, remoteMsMax)
}

async function describeIssuer(issuer: string): Promise<string> {
  try {
    return await describeKeys(issuer)
  } catch (error) {
    throw new Fault(
      `OIDC_ISSUER ${issuer}: ${describeFetchError(error)}. Users cannot sign in: check the URL, which must be the issuer’s own to the character, and outgoing connections`,
      { cause: error },
    )
  }
}

async function describeKeys(issuer: string): Promise<string> {
  const uri = await discoverJwksUri(issuer, fetch)
  const response = await fetch(uri, { signal: AbortSignal.timeout(deadlineMs) })
  if (!response.ok) throw new Error(`its key set returned status ${response.status}`)
  const { keys } = keySet.parse(await response.json())
  const usable = keys.filter(({ kty }) => kty !== 'oct').length
  if (usable === 0) throw new Error('its key set has no public key')
  return `${issuer} publishes ${usable} ${usable === 1 ? 'key' : 'keys'}${describeTransport(issuer, uri)}`
}

/** Empty if the connections to all of the URLs can't be read or changed on their way. */
function describeTransport(...urls: string[]): string {
  const isOpen = urls.some(url => !isLoopbackHttp(url) && new URL(url).protocol === 'http:')
  return isOpen ? '; over http, so whoever is on the way can sign in as anyone: use https' : ''
}
