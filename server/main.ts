/** `npm start`: configuration, what the service depends on, the service; closed in reverse on a signal. */
import { type Config, readConfig } from './config.ts'
import { describeError } from './describe-error.ts'
import { freePort } from './http/listen.ts'
import { prepareProcessEnd } from './process-end.ts'
import { readEnvironment } from './read-environment.ts'
import { endOnSignal } from './signals.ts'
import { startService } from './start-service.ts'

try {
  const end = prepareProcessEnd()
  endOnSignal(end)
  const { close } = await startService(await settlePort(readConfig(readEnvironment())))
  end.ready(close)
} catch (error) {
  console.error(describeError(error))
  process.exit(1)
}

/** Port 0 is any free one: it has to be known before the addresses that are made from it. */
async function settlePort(config: Config): Promise<Config> {
  if (config.PORT !== 0) return config
  return readConfig({ ...readEnvironment(), PORT: String(await freePort(config.HOST)) })
}
