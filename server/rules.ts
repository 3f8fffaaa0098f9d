import { createAddressPolicy } from '#domain/network/public-address.policy.ts'
import type { Rules } from '#domain/scope.ts'
import type { Config } from './config.ts'
import type { SignInProvider } from './dependencies.ts'
import type { ProviderIntegration } from './provider-adapter.ts'

/** `provider` is undefined where every tenant is a test tenant. */
interface RuleDependencies {
  oidc: SignInProvider
  provider: ProviderIntegration | undefined
}

/** The configured values that the domain's rules depend on. */
export function readRules(config: Config, dependencies: RuleDependencies): Rules {
  return {
    baseUrl: config.baseUrl,
    dashboardUrl: config.dashboardUrl,
    tokenLifetimeMs: config.tokenLifetimeMs,
    sessionLifetimeMs: config.sessionLifetimeMs,
    requestDataRetentionMs: config.requestDataRetentionMs,
    verificationRetentionMs: config.verificationRetentionMs,
    auditRetentionMs: config.auditRetentionMs,
    retryDelaysMs: config.retryDelaysMs,
    memberIssuer: dependencies.oidc.issuer,
    testTenants: dependencies.provider ? (config.testTenants ? 'allowed' : 'off') : 'only',
    provisioningOpen: config.provisioning === 'open',
    provisionLimit: config.provisionLimit,
    addresses: createAddressPolicy(allowedNetworks(config)),
  }
}

/** Loopback receivers are allowed only if every dependency is embedded. */
const loopback = ['127.0.0.0/8', '::1/128']

/** Returns the private networks that webhook receivers may be in. */
export function allowedNetworks(config: Config): string[] {
  return config.allowedNetworks ?? (config.allEmbedded ? loopback : [])
}
