import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { VeriffIntegration } from '../outside.ts'
import { keptSecret } from './kept-secret.ts'
import { loopback } from './loopback.ts'
import { startVeriffStandIn } from './veriff-stand-in/veriff-stand-in.ts'
import type { Workshop } from './workshop.ts'

/** Puts the stand-in in the place of Veriff, with an integration of its own. */
export async function embedVeriff(
  { config, folder, log, closing }: Workshop,
  port: number,
): Promise<VeriffIntegration> {
  const apiKey = await keptSecret(join(folder, 'veriff-api-key'), randomUUID)
  const sharedSecrets = [await keptSecret(join(folder, 'veriff-shared-secret'), randomUUID)]
  const standIn = await startVeriffStandIn({
    ...{ host: loopback, port, apiKey, sharedSecrets },
    webhookUrl: `${config.baseUrl}/verify/callback`,
    dataFile: join(folder, 'veriff-sessions.jsonl'),
    log: line => log.debug({ line }, 'veriff stand-in'),
  })
  closing.defer(() => standIn.close())
  return { baseUrl: standIn.baseUrl, apiKey, sharedSecrets }
}
