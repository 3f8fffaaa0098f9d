import type { Rules } from '../scope.ts'
import { signingAlgorithm } from '../signing-key/age-token.ts'
import { statusListLifetimeSeconds, statusListTtlSeconds } from '../signing-key/status-list.policy.ts'
import { statusListCachedMs } from '../token/get-status-list.ts'
import { describeTime, timed } from './describe-time.ts'
import type { Fact } from './practice.ts'

export function describeRevocation(): Record<string, Fact> {
  return {
    reasons: {
      name: 'When a token is revoked',
      text: 'When a member of the relying party or the operator revokes it, when a later result of the provider declines the person or proves the age no longer, when the verification is erased, and when a signing key has leaked.',
    },
    online: {
      name: 'Validated online',
      text: 'A revocation counts at once (POST /tokens/validate).',
    },
    offline: timed(
      'Validated offline',
      `A signed status list (draft-ietf-oauth-status-list) shows it within ${describeTime(statusListCachedMs)}; it may be kept for {time}, and expires after ${describeTime(1_000 * statusListLifetimeSeconds)}. It names no token, tenant or person.`,
      1_000 * statusListTtlSeconds,
    ),
  }
}

export function describeSecurity({ practice, auditRetentionMs, baseUrl }: Rules): Record<string, Fact> {
  const transport = baseUrl.startsWith('https:')
    ? 'The address of the service is https.'
    : 'The address of the service is http, without encryption: it is for trials only.'
  return {
    signature: {
      name: 'Tokens and status lists',
      text: `Signed with ${signingAlgorithm}; the public keys are at ${baseUrl}/.well-known/jwks.json. A token is only valid as it was issued, byte for byte.`,
    },
    events: {
      name: 'Events to relying parties',
      text: 'Signed with HMAC-SHA256 and the tenant’s secret.',
    },
    keys: {
      name: 'API keys',
      text: 'Stored as their SHA-256, with the first characters, by which members tell them apart.',
    },
    encryption: {
      name: 'Secrets at rest',
      text: `Signing keys, webhook secrets and session addresses are encrypted with ${practice.encryption}, each bound to its row.`,
    },
    transport: { name: 'Transport', text: transport },
    audit: timed(
      'Audit log',
      'Who changed what of a tenant, and what the operator did, is recorded for {time}.',
      auditRetentionMs,
    ),
  }
}
