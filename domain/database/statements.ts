import { deleteKeysEndedUntil } from '../api-key/delete-ended-keys.ts'
import { findAccessOfKey } from '../api-key/find-key-access.ts'
import { updateLastUse } from '../api-key/record-key-use.ts'
import { recordSignIn } from '../member/list-memberships.ts'
import { addFirstKey, findActiveKey } from '../signing-key/ensure-signing-key.ts'
import { findSigningKey } from '../signing-key/key-ring.ts'
import { findPublishedKeys } from '../signing-key/published-keys.ts'
import { findToken } from '../token/validate-token.ts'
import { claimDueClosings, rescheduleClosing } from '../verification/close-verifications.ts'
import { confirmStartReservation } from '../verification/confirm-start.ts'
import { deleteExpiredKeys } from '../verification/delete-idempotency-keys.ts'
import { findVerificationStatus } from '../verification/get-verification-status.ts'
import { loadSessionVerification, loadTenantVerification } from '../verification/load-verification.ts'
import { claimDuePolls, reschedulePoll } from '../verification/poll-provider.ts'
import { purgeDueRequestData } from '../verification/purge-request-data.ts'
import { releaseInterrupted, releaseReservation } from '../verification/release-starts.ts'
import { findMonthlyUsage, reserveQuota } from '../verification/reserve-start.ts'
import { schedulePoll } from '../verification/submit-verification.ts'
import {
  lockIdempotencyKey,
  readIdempotencyKey,
  unlockIdempotencyKey,
} from '../verification/with-idempotency-key.ts'
import {
  completeVerification,
  contradictVerification,
  moveVerification,
} from '../verification/write-change.ts'
import { claimDueDeliveries } from '../webhook/claim-deliveries.ts'
import { countPendingDeliveries } from '../webhook/count-waiting.ts'
import { deleteDeliveriesCreatedUntil } from '../webhook/delete-old-deliveries.ts'
import { reclaimLeases } from '../webhook/reclaim-expired-leases.ts'
import { recordDeliveryOutcomes } from '../webhook/record-outcomes.ts'

/** Every prepared statement. Tests prepare each of them and compare its values and columns with its declaration. */
export const statements = [
  findAccessOfKey,
  updateLastUse,
  deleteKeysEndedUntil,
  recordSignIn,
  findActiveKey,
  addFirstKey,
  findSigningKey,
  findPublishedKeys,
  findToken,
  findVerificationStatus,
  loadTenantVerification,
  loadSessionVerification,
  moveVerification,
  completeVerification,
  contradictVerification,
  reserveQuota,
  findMonthlyUsage,
  confirmStartReservation,
  releaseReservation,
  releaseInterrupted,
  lockIdempotencyKey,
  readIdempotencyKey,
  unlockIdempotencyKey,
  deleteExpiredKeys,
  schedulePoll,
  claimDuePolls,
  reschedulePoll,
  claimDueClosings,
  rescheduleClosing,
  purgeDueRequestData,
  claimDueDeliveries,
  recordDeliveryOutcomes,
  reclaimLeases,
  countPendingDeliveries,
  deleteDeliveriesCreatedUntil,
]
