import { setTimeout as wait } from 'node:timers/promises'
import { discoverJwksUri } from '#console-api/issuer-keys.ts'
import type { DomainLog } from '#domain/scope.ts'
import type { DependencyState } from '../http/health.ts'
import { createOutageLog } from '../logging/outage-log.ts'

const checkEveryMs = 30_000
const retryMs = 2_000

/**
 * Asks the sign-in provider for its discovery document, twice a minute and more often while that fails. Nothing waits for
 * it: without the provider only the console can't be used, and each sign-in makes its own request.
 */
export function watchSignIn(issuer: string, log: DomainLog) {
  const outage = createOutageLog('the sign-in provider', log)
  const closing = new AbortController()
  const { signal } = closing
  let state: DependencyState | undefined
  async function check(): Promise<void> {
    try {
      await discoverJwksUri(issuer, fetch)
      if (!signal.aborted) outage.ended()
      state = 'up'
    } catch (error) {
      if (!signal.aborted) outage.failed(describe(error as Error))
      state = 'down'
    }
  }
  async function watch(): Promise<void> {
    for (;;) {
      await check()
      await wait(state === 'up' ? checkEveryMs : retryMs, undefined, { signal, ref: false })
    }
  }
  watch().catch(() => undefined)
  return {
    /** Undefined before the first answer. */
    state: () => state,
    close: () => closing.abort(),
  }
}

/** `fetch` says only that it failed; its cause says why. */
function describe({ message, cause }: Error): string {
  return cause instanceof Error ? describe(cause) : message
}
