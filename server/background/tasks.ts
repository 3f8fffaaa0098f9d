import { deleteEndedKeys } from '#domain/api-key/delete-ended-keys.ts'
import { deleteOldAuditEvents } from '#domain/audit/delete-old-audit-events.ts'
import { deleteExpiredVerifications } from '#domain/deletion/delete-expired-verifications.ts'
import { deleteOldVerifications } from '#domain/deletion/delete-old-verifications.ts'
import { deleteQueuedSession } from '#domain/deletion/delete-queued-session.ts'
import { deleteEndedInvitations } from '#domain/member/delete-ended-invitations.ts'
import type { WorkKind } from '#domain/ports.ts'
import type { Scope } from '#domain/scope.ts'
import { deleteRetiredKeys } from '#domain/signing-key/delete-retired-keys.ts'
import { deleteOldSessions } from '#domain/simulated-session/delete-old-sessions.ts'
import { deleteRotatedSecrets } from '#domain/tenant/webhook-secrets.ts'
import { deleteExpiredRevocations } from '#domain/token/delete-expired-revocations.ts'
import { closeVerifications } from '#domain/verification/close-verifications.ts'
import { deleteIdempotencyKeys } from '#domain/verification/delete-idempotency-keys.ts'
import { pollProvider } from '#domain/verification/poll-provider.ts'
import { releaseInterruptedStarts } from '#domain/verification/release-starts.ts'
import { deleteOldDeliveries } from '#domain/webhook/delete-old-deliveries.ts'
import { deleteOldTestEvents } from '#domain/webhook/delete-old-test-events.ts'

export interface Task {
  name: string
  /** How long to wait after a run that found no due rows. */
  intervalMs: number
  /** The work, written in this process, that ends the wait early. */
  wokenBy?: WorkKind
  /** Every worker runs it, and takes its part; of any other task, one worker at a time does. */
  isShared?: true
  /** Any other task deletes by age, and so goes by the earlier of two clocks (`domain/worker/both-clocks.ts`). */
  usesOwnClock?: true
  /**
   * Processes one batch of due rows and returns how many there were. Claims or deletes them atomically, so that any
   * number of workers can run it concurrently.
   */
  run(scope: Scope): Promise<number>
}

/** The background tasks of the workers. Webhook deliveries have a dedicated worker. */
export const tasks: readonly Task[] = [
  {
    name: 'poll the provider',
    intervalMs: 2_000,
    wokenBy: 'polling',
    isShared: true,
    usesOwnClock: true,
    run: pollProvider,
  },
  {
    name: 'close expired verifications',
    intervalMs: 10_000,
    isShared: true,
    usesOwnClock: true,
    run: closeVerifications,
  },
  {
    name: 'release interrupted starts',
    intervalMs: 15_000,
    usesOwnClock: true,
    run: releaseInterruptedStarts,
  },
  {
    name: 'delete sessions at the provider',
    intervalMs: 2_000,
    usesOwnClock: true,
    run: deleteQueuedSession,
  },
  // Readers ignore expired secrets, so this only frees space.
  { name: 'delete expired webhook secrets', intervalMs: 600_000, run: deleteRotatedSecrets },
  // Neither admitted nor listed any more, so this only frees space.
  { name: 'delete ended API keys', intervalMs: 60_000, run: deleteEndedKeys },
  { name: 'delete old audit events', intervalMs: 60_000, run: deleteOldAuditEvents },
  { name: 'delete ended invitations', intervalMs: 60_000, run: deleteEndedInvitations },
  { name: 'delete retired signing keys', intervalMs: 60_000, run: deleteRetiredKeys },
  // They are of no use any more, so this only frees space.
  { name: 'delete expired token revocations', intervalMs: 60_000, run: deleteExpiredRevocations },
  { name: 'delete expired verifications', intervalMs: 60_000, run: deleteExpiredVerifications },
  { name: 'delete old verifications', intervalMs: 60_000, run: deleteOldVerifications },
  { name: 'delete old simulated sessions', intervalMs: 60_000, run: deleteOldSessions },
  { name: 'delete idempotency keys', intervalMs: 60_000, run: deleteIdempotencyKeys },
  { name: 'delete old deliveries', intervalMs: 30_000, run: deleteOldDeliveries },
  // Not listed any more, so this only frees space.
  { name: 'delete old test events', intervalMs: 60_000, run: deleteOldTestEvents },
]
