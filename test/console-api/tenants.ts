import { displayStart, hashKeyValue, newKeyValue } from '#domain/api-key/key-value.ts'
import { arrayOf, bytes, text, timestamp, uuid } from '#domain/database/sql-types.ts'
import { statement } from '#domain/database/statement.ts'
import { newId, randomSecret } from '#domain/ids.ts'
import { invitationDays } from '#domain/member/invitation.policy.ts'
import { hashInvitationCode } from '#domain/member/invitation-code.ts'
import { apiKeyScopes, roles } from '#domain/permissions.ts'
import { ensureDefaultPlan } from '#domain/tenant/ensure-default-plan.ts'
import { webhookSecretPurpose } from '#domain/tenant/webhook-secrets.ts'
import type { VerificationStatus } from '#domain/verification-status.ts'
import { storeApproval, storeVerification } from '../domain/administration/history.ts'
import type { ConsoleServer } from './console-server.ts'
import { clientId } from './sign-in-provider.ts'

/** A tenant with one object of each kind. The subjects of its members are `owner of ID` and so on. */
export interface TestTenant {
  tenantId: string
  owner: string
  developer: string
  viewer: string
  apiKeyId: string
  /** The value of the key. */
  apiKey: string
  /** Open, for a viewer. */
  invitationId: string
  invitationCode: string
  /** Approved, with a token. */
  verificationId: string
  jwt: string
  /** Of the operator that created it. */
  auditEventId: string
  /** An ID token of the user `stranger to ID`. */
  strangerIdToken: string
}

export async function addTestTenant(server: ConsoleServer, name = 'Tavern'): Promise<TestTenant> {
  const scope = server.createScope({ kind: 'operator' })
  const { now } = scope
  await ensureDefaultPlan(scope)
  const [tenantId, secretId, invitationId, apiKeyId] = [newId(now), newId(now), newId(now), newId(now)]
  const auditEventId = newId(now)
  const [invitationCode, apiKey] = [randomSecret(), newKeyValue()]
  const { verificationId, jwt } = await storeApproval(scope, tenantId)
  await insertTenant(scope.pool, {
    tenantId,
    name,
    issuer: server.signIn.issuer,
    now,
    roles: [...roles],
    secretId,
    encryptedSecret: scope.cipher.seal(`whsec_${randomSecret()}`, webhookSecretPurpose(secretId)),
    invitationId,
    codeHash: hashInvitationCode(invitationCode),
    expiresAt: new Date(now.getTime() + invitationDays.default * 24 * 60 * 60 * 1000),
    apiKeyId,
    keyHash: hashKeyValue(apiKey),
    displayStart: displayStart(apiKey),
    scopes: [...apiKeyScopes],
    auditEventId,
  })
  const [viewer, developer, owner] = roles.map(role => `${role} of ${tenantId}`) as [string, string, string]
  const invitation = { invitationId, invitationCode }
  const strangerIdToken = await server.signIn.sign({ sub: `stranger to ${tenantId}`, aud: clientId })
  const tokens = { jwt: jwt!, strangerIdToken }
  const ids = { tenantId, apiKeyId, verificationId, auditEventId }
  return { ...ids, owner, developer, viewer, apiKey, ...invitation, ...tokens }
}

const insertTenant = statement({
  name: 'test-insert-tenant',
  text: `with tenants as (
     insert into tenant (id, name, plan_name, subscription, created_at, webhook_url)
     values (:tenantId, :name, 'default', 'active', :now, 'https://hooks.example.com/age')
   ), secrets as (
     insert into webhook_secret (tenant_id, id, encrypted_secret, created_at)
     values (:tenantId, :secretId, :encryptedSecret, :now)
   ), members as (
     insert into member (tenant_id, issuer, subject, id, role, added_at)
     select :tenantId, :issuer, role || ' of ' || :tenantId, gen_random_uuid(), role, :now from unnest(:roles) role
   ), invitations as (
     insert into invitation (tenant_id, id, role, code_hash, inviter_issuer, inviter_subject, created_at, expires_at)
     values (:tenantId, :invitationId, 'viewer', :codeHash, :issuer, 'owner of ' || :tenantId, :now, :expiresAt)
   ), events as (
     insert into audit_event (tenant_id, id, at, actor_kind, action, target, changes)
     values (:tenantId, :auditEventId, :now, 'operator', 'tenant.create', :tenantId::text, '{}')
   )
   insert into api_key (id, tenant_id, name, hash, display_start, scopes, created_at)
   values (:apiKeyId, :tenantId, 'Till', :keyHash, :displayStart, :scopes, :now)`,
  values: {
    tenantId: uuid,
    name: text,
    issuer: text,
    now: timestamp,
    roles: arrayOf(text),
    secretId: uuid,
    encryptedSecret: bytes,
    invitationId: uuid,
    codeHash: text,
    expiresAt: timestamp,
    apiKeyId: uuid,
    keyHash: text,
    displayStart: text,
    scopes: arrayOf(text),
    auditEventId: uuid,
  },
  row: {},
})

export async function addVerification(
  server: ConsoleServer,
  tenantId: string,
  { status = 'pending' as VerificationStatus, createdAt = server.time.now } = {},
): Promise<string> {
  return await storeVerification(server.createScope({ kind: 'operator' }, createdAt), tenantId, status)
}
