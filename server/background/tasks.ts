import type { WorkKind } from '#domain/ports.ts'
import type { Scope } from '#domain/scope.ts'
import { endRotatedSecrets } from '#domain/tenant/end-rotated-secrets.ts'
import { closeVerifications } from '#domain/verification/close-verifications.ts'
import { deleteIdempotencyKeys } from '#domain/verification/delete-idempotency-keys.ts'
import { pollProvider } from '#domain/verification/poll-provider.ts'
import { purgeRequestData } from '#domain/verification/purge-request-data.ts'
import { releaseInterruptedStarts } from '#domain/verification/release-starts.ts'
import { deleteOldDeliveries } from '#domain/webhook/delete-old-deliveries.ts'

export interface Task {
  name: string
  /** How long to wait when nothing more is due. */
  everyMs: number
  /** The notification that wakes it earlier. */
  wokenBy?: WorkKind
  /** Takes a batch of due rows, so that any number of workers can run side by side; answers how many there were. */
  run(scope: Scope): Promise<number>
}

/** The table of background tasks. Events are delivered by a worker of their own. */
export const tasks: readonly Task[] = [
  { name: 'ask the provider', everyMs: 2_000, wokenBy: 'polling', run: pollProvider },
  { name: 'close verifications', everyMs: 10_000, run: closeVerifications },
  { name: 'release interrupted starts', everyMs: 15_000, run: releaseInterruptedStarts },
  { name: 'end rotated secrets', everyMs: 1_000, run: endRotatedSecrets },
  { name: 'forget request data', everyMs: 30_000, run: purgeRequestData },
  { name: 'drop idempotency keys', everyMs: 60_000, run: deleteIdempotencyKeys },
  { name: 'drop old deliveries', everyMs: 30_000, run: deleteOldDeliveries },
]
