import type { IdentityProvider } from '#domain/ports.ts'
import type { VeriffClient } from './veriff-client.ts'

/**
 * An integration and the one that it has replaced, as one. Sessions are created by the new one. Which one has a session is not
 * stored: the new one is asked first, and the previous one about what that doesn't know or refuses, until the last of
 * its sessions has ended.
 */
export function withPrevious(current: VeriffClient, previous: VeriffClient): IdentityProvider {
  return {
    name: current.name,
    createSession: current.createSession,
    async fetchDecision(...session) {
      const decision = await askBoth(client => client.pollSession(...session))
      return typeof decision === 'string' ? undefined : decision
    },
    deleteSession: session => askBoth(client => client.deleteSession(session)),
  }

  /** The failure of the new one counts, unless the previous one knows the session. */
  async function askBoth<Answer>(call: (client: VeriffClient) => Promise<Answer>): Promise<Answer> {
    const asked = await call(current).then(
      answer => ({ answer }),
      (error: unknown) => ({ error }),
    )
    if ('answer' in asked && asked.answer !== 'unknown') return asked.answer
    const failure = 'error' in asked ? asked : undefined
    const answer = await call(previous).catch((error: unknown) => {
      throw failure ? failure.error : error
    })
    if (failure && answer === 'unknown') throw failure.error
    return answer
  }
}
