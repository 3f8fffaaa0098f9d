import { discoverJwksUri } from '#console-api/issuer-keys.ts'
import type { DomainLog } from '#domain/scope.ts'
import { watchDependency } from '../http/watch-dependency.ts'
import { createOutageLog } from '../logging/outage-log.ts'

const checkEveryMs = 30_000

/**
 * Asks the sign-in provider for its discovery document, twice a minute and more often while that fails. Nothing waits for
 * it: without the provider only the console can't be used, and each sign-in makes its own request.
 */
export function watchSignIn(issuer: string, log: DomainLog) {
  const outage = createOutageLog('the sign-in provider', log)
  return watchDependency(async closing => {
    try {
      await discoverJwksUri(issuer, fetch)
      if (!closing.aborted) outage.ended()
      return 'up'
    } catch (error) {
      if (!closing.aborted) outage.failed(describe(error as Error))
      return 'down'
    }
  }, checkEveryMs)
}

/** `fetch` says only that it failed; its cause says why. */
function describe({ message, cause }: Error): string {
  return cause instanceof Error ? describe(cause) : message
}
