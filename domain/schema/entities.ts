import { ApiKey } from '../api-key/api-key.entity.ts'
import { AuditEvent, ServiceAuditEvent } from '../audit/audit-event.entity.ts'
import { SessionDeletion } from '../deletion/session-deletion.entity.ts'
import { Invitation } from '../member/invitation.entity.ts'
import { Member } from '../member/member.entity.ts'
import { PracticeStatement } from '../practice-statement/practice-statement.entity.ts'
import { SigningKey } from '../signing-key/signing-key.entity.ts'
import { TokenSigner } from '../signing-key/token-signer.entity.ts'
import { SimulatedSession } from '../simulated-session/simulated-session.entity.ts'
import { Plan } from '../tenant/plan.entity.ts'
import { Tenant } from '../tenant/tenant.entity.ts'
import { WebhookSecret } from '../tenant/webhook-secret.entity.ts'
import { RevokedToken } from '../token/revoked-token.entity.ts'
import { UsageDay } from '../usage/usage-day.entity.ts'
import { UsageMonth } from '../usage/usage-month.entity.ts'
import { ChangeNumber } from '../verification/change-number.entity.ts'
import { IdempotencyKey } from '../verification/idempotency-key.entity.ts'
import { OpenVerification } from '../verification/open-verification.entity.ts'
import { StartReservation } from '../verification/start-reservation.entity.ts'
import { Verification } from '../verification/verification.entity.ts'
import { VerificationOutcome } from '../verification/verification-outcome.entity.ts'
import { Delivery } from '../webhook/delivery.entity.ts'
import { TestEvent } from '../webhook/test-event.entity.ts'
import { ServiceSetting } from './service-setting.entity.ts'

export const entities = [
  Plan,
  Tenant,
  WebhookSecret,
  ApiKey,
  Member,
  Invitation,
  AuditEvent,
  ServiceAuditEvent,
  ServiceSetting,
  PracticeStatement,
  UsageMonth,
  UsageDay,
  StartReservation,
  IdempotencyKey,
  Verification,
  ChangeNumber,
  OpenVerification,
  VerificationOutcome,
  SessionDeletion,
  SigningKey,
  TokenSigner,
  RevokedToken,
  Delivery,
  TestEvent,
  SimulatedSession,
]
