import { createAddressPolicy } from '#domain/network/public-address.policy.ts'
import { veriffPractice } from '#domain/practice-statement/veriff-practice.ts'
import type { Rules } from '#domain/scope.ts'
import { contractVersion } from '#rest/contract-version.ts'
import { cipherName } from '../cipher.ts'
import type { Config } from './config.ts'

interface RuleDependencies {
  memberIssuer: string
  /** Whether there are live tenants: an identity provider is configured, or other processes can have one. */
  hasProvider: boolean
}

/** The configured values that the domain's rules depend on. */
export function readRules(config: Config, { memberIssuer, hasProvider }: RuleDependencies): Rules {
  return {
    baseUrl: config.baseUrl,
    dashboardUrl: config.dashboardUrl,
    tokenLifetimeMs: config.tokenLifetimeMs,
    sessionLifetimeMs: config.sessionLifetimeMs,
    verificationRetentionMs: config.verificationRetentionMs,
    auditRetentionMs: config.auditRetentionMs,
    retryDelaysMs: config.retryDelaysMs,
    memberIssuer,
    testTenants: hasProvider ? (config.testTenants ? 'allowed' : 'off') : 'only',
    provisioningOpen: config.provisioning === 'open',
    provisionLimit: config.provisionLimit,
    addresses: createAddressPolicy(allowedNetworks(config)),
    practice: {
      operator: config.practice,
      provider: hasProvider ? veriffPractice : null,
      encryption: cipherName,
      contract: contractVersion,
    },
  }
}

/** Loopback receivers are allowed only if every dependency is embedded. */
const loopback = ['127.0.0.0/8', '::1/128']

/** Returns the private networks that webhook receivers may be in. */
export function allowedNetworks(config: Config): string[] {
  return config.allowedNetworks ?? (config.allEmbedded ? loopback : [])
}
