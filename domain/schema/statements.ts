import { findAccessOfKeys } from '../api-key/assert-still-admitted.ts'
import { deleteKeysEndedUntil, deleteOldKeyUsage } from '../api-key/delete-ended-keys.ts'
import { findCachedKeysOfPlan, findCachedKeysOfTenant } from '../api-key/find-cached-keys.ts'
import { findAccessOfKey } from '../api-key/find-key-access.ts'
import { sumKeyRequests } from '../api-key/list-key-usage.ts'
import { addKeyRequests } from '../api-key/record-key-requests.ts'
import { updateLastUse } from '../api-key/record-key-use.ts'
import { deleteServiceEvents, deleteTenantEvents } from '../audit-event/delete-old-audit-events.ts'
import { sampleSigningKeys, sampleWebhookSecrets } from '../encryption-key/assert-decryptable.ts'
import {
  findStaleSessionUrls,
  findStaleSigningKeys,
  findStaleWebhookSecrets,
  resealSessionUrls,
  resealSigningKeys,
  resealWebhookSecrets,
} from '../encryption-key/rotate-encryption-key.ts'
import { findInspected } from '../inspection/inspect-verification.ts'
import { deleteLeases, takeLease } from '../lease/acquire-lease.ts'
import { deleteInvitations } from '../member/delete-ended-invitations.ts'
import { recordSignIn } from '../member/list-memberships.ts'
import { findServiceSetting, setServiceSetting } from '../service-setting/key-cache-setting.ts'
import { deleteKeysRetiredUntil } from '../signing-key/delete-retired-keys.ts'
import { addFirstKey, findNewestKey } from '../signing-key/ensure-signing-key.ts'
import { findSigningKey } from '../signing-key/key-ring.ts'
import { findPublishedKeys } from '../signing-key/published-keys.ts'
import { addTokenSigner, reserveStatusIndexes } from '../signing-key/status-indexes.ts'
import { deleteRevokedTokens } from '../token/delete-expired-revocations.ts'
import { findTokenSigners } from '../token/get-status-list.ts'
import { findStatusList } from '../token/sign-status-list.ts'
import { findToken } from '../token/validate-token.ts'
import { countService } from '../usage/service-statistics.ts'
import { countOpenVerifications } from '../usage/summarize-usage.ts'
import { claimDueClosings, rescheduleClosing } from '../verification/close-verifications.ts'
import { confirmStartReservation } from '../verification/confirm-start.ts'
import { deleteKeysCreatedUntil } from '../verification/delete-idempotency-keys.ts'
import { findVerificationStatus } from '../verification/get-verification-status.ts'
import { findTimeline } from '../verification/get-verification-timeline.ts'
import { loadSessionVerification, loadTenantVerification } from '../verification/load-verification.ts'
import { claimDuePolls, reschedulePoll } from '../verification/poll-provider.ts'
import { deleteRequestData } from '../verification/purge-request-data.ts'
import { releaseInterrupted, releaseReservation } from '../verification/release-starts.ts'
import { reserveQuota } from '../verification/reserve-start.ts'
import { pollSoon } from '../verification/submit-verification.ts'
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
import { claimOfQueues } from '../webhook/claim-deliveries.ts'
import { countWaitingDeliveries } from '../webhook/count-waiting.ts'
import { deleteDeliveriesCreatedUntil } from '../webhook/delete-old-deliveries.ts'
import { findWork, lockQueues } from '../webhook/lock-queues.ts'
import { reclaimLeases } from '../webhook/reclaim-expired-leases.ts'
import { recordDeliveryOutcomes } from '../webhook/record-outcomes.ts'

/** Every prepared statement. Tests prepare each of them and compare its values and columns with its declaration. */
export const statements = [
  findAccessOfKey,
  findAccessOfKeys,
  findCachedKeysOfPlan,
  findCachedKeysOfTenant,
  updateLastUse,
  addKeyRequests,
  deleteKeysEndedUntil,
  deleteOldKeyUsage,
  deleteTenantEvents,
  deleteServiceEvents,
  deleteInvitations,
  deleteKeysRetiredUntil,
  recordSignIn,
  setServiceSetting,
  findServiceSetting,
  sampleSigningKeys,
  sampleWebhookSecrets,
  findStaleSigningKeys,
  resealSigningKeys,
  findStaleWebhookSecrets,
  resealWebhookSecrets,
  findStaleSessionUrls,
  resealSessionUrls,
  findNewestKey,
  addFirstKey,
  findSigningKey,
  reserveStatusIndexes,
  addTokenSigner,
  findTokenSigners,
  findStatusList,
  deleteRevokedTokens,
  findPublishedKeys,
  ...findToken.statements,
  ...findVerificationStatus.statements,
  findTimeline,
  findInspected,
  ...loadTenantVerification.statements,
  ...loadSessionVerification.statements,
  ...moveVerification.statements,
  ...completeVerification.statements,
  ...contradictVerification.statements,
  ...reserveQuota.statements,
  ...confirmStartReservation.statements,
  releaseReservation,
  releaseInterrupted,
  lockIdempotencyKey,
  readIdempotencyKey,
  unlockIdempotencyKey,
  claimDuePolls,
  reschedulePoll,
  claimDueClosings,
  rescheduleClosing,
  pollSoon,
  deleteKeysCreatedUntil,
  deleteRequestData,
  deleteDeliveriesCreatedUntil,
  sumKeyRequests,
  countOpenVerifications,
  findWork,
  lockQueues,
  claimOfQueues,
  recordDeliveryOutcomes,
  reclaimLeases,
  countWaitingDeliveries,
  countService,
  takeLease,
  deleteLeases,
]
