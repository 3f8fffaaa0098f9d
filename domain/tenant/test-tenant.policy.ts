/**
 * What separates test tenants from live ones. Their verifications go to the simulator, and nothing of them can be taken for
 * real: their keys begin differently, and their tokens have another issuer, other signing keys and other status lists.
 */
import type { Rules } from '../scope.ts'

/** The path of everything that is published for test tenants. */
export const testPath = '/test'

/** How the ids of the simulator's sessions begin, so that a verification's row says where its session is. */
export const testSessionPrefix = 'test:'

/** How long verifications of test tenants are stored. */
export const testRetentionMs = 30 * 24 * 60 * 60 * 1000

/** Whether a verification's session is at the simulator. */
export function isTestSession(providerSessionId: string): boolean {
  return providerSessionId.startsWith(testSessionPrefix)
}

/** The same of `verification v`, in SQL. */
export const hasTestSession = `starts_with(v.provider_session_id, '${testSessionPrefix}')`

/** The issuer of tokens: never the same for test tenants and live ones. */
export function tokenIssuer({ baseUrl }: Rules, test: boolean): string {
  return test ? `${baseUrl}${testPath}` : baseUrl
}
