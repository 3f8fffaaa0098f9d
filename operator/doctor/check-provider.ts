import { randomUUID } from 'node:crypto'
import { ProviderUnavailable } from '#domain/ports.ts'
import type { Config } from '#server/config.ts'
import { configuredVeriff } from '#server/dependencies.ts'
import { createVeriffClient } from '#server/veriff/veriff-client.ts'
import { type Check, check, Fault } from './check.ts'

/** Asks for the decision of a session that doesn't exist: the provider verifies the credentials first. */
export async function checkProvider(config: Config): Promise<Check> {
  return await check('identity-provider', async () => {
    const veriff = configuredVeriff(config)
    if (!veriff) return 'the local simulator'
    const client = createVeriffClient(veriff)
    try {
      await client.fetchDecision(randomUUID())
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error
      throw new Fault(`${error.message}: ${advise(error.message)}`)
    } finally {
      await client.close()
    }
    return `${veriff.baseUrl} accepts the API key and the newest shared secret`
  })
}

function advise(message: string): string {
  return /returned 40[013]|invalid signature/.test(message)
    ? 'compare VERIFF_API_KEY and VERIFF_SHARED_SECRET with the integration in the provider’s portal'
    : 'check VERIFF_BASE_URL, DNS and the firewall for outgoing connections'
}
