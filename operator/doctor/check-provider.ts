import { randomUUID } from 'node:crypto'
import { ProviderUnavailable } from '#domain/ports.ts'
import type { Config } from '#server/config.ts'
import { configuredProvider, namesOfVariables, openProvider } from '#server/identity-providers.ts'
import { type Check, check, Fault } from './check.ts'

/** Asks for the decision of a session that doesn't exist: the provider verifies the credentials first. */
export async function checkProvider(config: Config): Promise<Check> {
  return await check('identity-provider', async () => {
    const integration = configuredProvider(config)
    if (!integration) return 'the simulator of test tenants'
    const { client, close } = await openProvider(integration)
    try {
      await client.fetchDecision(randomUUID(), randomUUID())
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error
      throw new Fault(`${error.message}: ${advise(error, namesOfVariables(integration))}`)
    } finally {
      await close()
    }
    return `${integration.baseUrl} accepts the API key and the newest shared secret`
  })
}

function advise({ failure }: ProviderUnavailable, names: string[]): string {
  return failure === 'rejected' || failure === 'invalid_response'
    ? `compare ${names.join(', ')} with the integration in the provider’s portal`
    : `check ${names[0]}, DNS and the firewall for outgoing connections`
}
