import { recordStatement } from '#domain/practice-statement/record-statement.ts'
import type { ScopeFor } from '../scope.ts'

/**
 * Publishes the practice statement that the settings of this process make, now or as soon as it can be stored, which stops no
 * start: until then the previous one stands. For processes that serve the API: of several, the one that started last decides.
 */
export async function publishStatement(scopeFor: ScopeFor, retryMs = 60_000): Promise<Disposable> {
  let retry: NodeJS.Timeout | undefined
  async function publish(): Promise<void> {
    const scope = scopeFor({ kind: 'service' })
    await recordStatement(scope).catch(err => {
      scope.log.warn({ err }, 'Could not store the practice statement; retrying in a minute')
      retry = setTimeout(publish, retryMs).unref()
    })
  }
  await publish()
  return { [Symbol.dispose]: () => clearTimeout(retry) }
}
