import { endedKeyRetentionMs } from '../api-key/api-key.policy.ts'
import { endedInvitationRetentionMs } from '../member/invitation.policy.ts'
import type { Rules } from '../scope.ts'
import { testRetentionMs } from '../tenant/test-tenant.policy.ts'
import { keyLifetimeMs } from '../verification/idempotency-lock.ts'
import { interruptedAfterMs } from '../verification/release-starts.ts'
import { deliveryLifetimeMs } from '../webhook/delivery.policy.ts'
import { clockDifferenceMsMax } from '../worker/both-clocks.ts'
import { timed } from './describe-time.ts'
import { type Fact, operatorFact } from './practice.ts'

/**
 * What is stored of persons, by the name of its table, and for how long: the times by which the tasks delete. DATA.md
 * describes the same tables; test/documents/stored-data.test.ts compares them.
 */
export function describeRetention(rules: Rules): Record<string, Fact> {
  const { verificationRetentionMs, sessionLifetimeMs, auditRetentionMs } = rules
  return {
    never: fact(
      'Pictures, name, date of birth, document',
      'Never stored. Pictures stay with the provider. Name, date of birth and data of the document arrive with its decision, and are dropped once the age is evaluated.',
    ),
    provider: fact(
      'At the provider',
      'As the provider’s contract with the operator says. An erasure here has it deleted there, as fast as the provider deletes sessions.',
    ),
    providerTime: operatorFact(rules, 'providerRetentionDays', 'The provider deletes after'),
    subprocessors: operatorFact(
      rules,
      'providerSubprocessors',
      'The provider’s sub-processors, and the countries',
    ),
    clocks: timed(
      'Two clocks',
      'While the clock of the service and that of its database differ by more than {time}, nothing is deleted by its age but IDs of interrupted starts and of answered deletions.',
      clockDifferenceMsMax,
    ),
    shorter: fact(
      'Shorter for a tenant',
      'The times are the longest. A tenant may have the data of its verifications kept for a shorter time.',
    ),
    verification: timed(
      'Verification: status, score, whether 18 or over, the provider’s IDs, its codes and reason codes with their times, what the token is made of',
      '{time} after the start it is not found any more, and is deleted the same day.',
      verificationRetentionMs,
    ),
    verification_outcome: timed(
      'Status of a verification that is not approved, for lists',
      '{time} after the start.',
      verificationRetentionMs,
    ),
    open_verification: timed(
      'Work on a verification that is not completed',
      'Until it is completed: {time} at most, twice that while the provider can’t be asked.',
      sessionLifetimeMs,
    ),
    idempotency_key: timed(
      'Address of the hosted page, encrypted, where a start can be repeated',
      '{time} after the start.',
      keyLifetimeMs,
    ),
    start_reservation: timed(
      'ID of a start that waits for the provider',
      'Until the provider has answered; {time} after a crash.',
      interruptedAfterMs,
    ),
    delivery: timed(
      'Event that is delivered: status and score',
      '{time} after the completion.',
      deliveryLifetimeMs,
    ),
    session_deletion: fact(
      'ID of the session of an erased verification',
      'Until the provider has answered for it; then without this ID for a day.',
    ),
    member: fact(
      'Members of a tenant: sign-in, role, name and e-mail address',
      'Until they leave or are removed. The audit log keeps their name.',
    ),
    invitation: timed('Invitations of members', '{time} after their expiry.', endedInvitationRetentionMs),
    api_key: timed(
      'API keys: hash, first characters, name, who created them',
      '{time} after their revocation or expiry.',
      endedKeyRetentionMs,
    ),
    audit_event: timed(
      'Audit log of a tenant: who did what, with the IP address, and the names of former members',
      '{time}.',
      auditRetentionMs,
    ),
    service_audit_event: timed('Audit log of the operator', '{time}.', auditRetentionMs),
    test: timed('Verifications of test tenants, of nobody', '{time}.', testRetentionMs),
    usage: fact('Counts by tenant and day, without persons', 'For ever.'),
    erasure: fact(
      'Erasure',
      'One verification, or a tenant with all of them, can be erased at any time: here at once, and at the provider, which deletes ten sessions a day. Backups keep what they have until they are overwritten.',
    ),
  }
}

function fact(name: string, text: string): Fact {
  return { name, text }
}
