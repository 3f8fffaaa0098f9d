import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { VeriffIntegration } from '../dependencies.ts'
import type { EmbeddedContext } from './embedded-context.ts'
import { loadOrCreateSecret } from './load-or-create-secret.ts'
import { loopback } from './loopback.ts'
import { startVeriffSimulator } from './veriff-simulator/veriff-simulator.ts'

/** Puts the stand-in in the place of Veriff, with an integration of its own. */
export async function embedVeriff(
  { config, folder, log, closing }: EmbeddedContext,
  port: number,
): Promise<VeriffIntegration> {
  const apiKey = await loadOrCreateSecret(join(folder, 'veriff-api-key'), randomUUID)
  const sharedSecrets = [await loadOrCreateSecret(join(folder, 'veriff-shared-secret'), randomUUID)]
  const simulator = await startVeriffSimulator({
    ...{ host: loopback, port, apiKey, sharedSecrets },
    webhookUrl: `${config.baseUrl}/verify/callback`,
    dataFile: join(folder, 'veriff-sessions.jsonl'),
    log: line => log.debug({ line }, 'veriff stand-in'),
  })
  closing.defer(() => simulator.close())
  return { baseUrl: simulator.baseUrl, apiKey, sharedSecrets }
}
