/**
 * What separates test verifications from live ones: they go to another provider, their row says so, and nothing of them can be
 * taken for real: keys of test tenants begin differently, and their tokens have another issuer, other signing keys and other
 * status lists.
 */
import type { IdentityProvider, TestProvider } from '../ports.ts'
import type { Rules, Scope, TenantScope } from '../scope.ts'

/** The path of everything that is published for test tenants. */
export const testPath = '/test'

/** How long verifications of test tenants are stored. */
export const testRetentionDays = 30
export const testRetentionMs = testRetentionDays * 24 * 60 * 60 * 1000

/** Whether what the actor starts is a test verification: that of a test tenant is, and any where no provider is configured. */
export function startsTest({ actor, rules }: TenantScope): boolean {
  return (actor.kind === 'api_key' && actor.test) || rules.testTenants === 'only'
}

/** The provider of a verification; undefined where it is not configured. */
export function providerOf(
  { provider, testProvider }: Scope,
  { test }: { test: boolean },
): IdentityProvider | TestProvider | undefined {
  return test ? testProvider : provider
}

/** The issuer of tokens: never the same for test tenants and live ones. */
export function tokenIssuer({ baseUrl }: Rules, test: boolean): string {
  return test ? `${baseUrl}${testPath}` : baseUrl
}
