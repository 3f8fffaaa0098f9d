import { hashKeyValue, newKeyValue } from '#domain/api-key/key-value.ts'
import { newId, randomSecret } from '#domain/ids.ts'
import { invitationLifetimeMs } from '#domain/member/invitation.policy.ts'
import { hashInvitationCode } from '#domain/member/invitation-code.ts'
import { apiKeyScopes, roles } from '#domain/permissions.ts'
import { forTenant } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/settings/change-settings.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
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
  /** An ID token of the user `stranger to ID`. */
  strangerIdToken: string
}

export async function addTestTenant(server: ConsoleServer, name = 'Tavern'): Promise<TestTenant> {
  const scope = server.createScope({ kind: 'operator' })
  const { id: tenantId } = await createTenant(scope, { name })
  await setWebhookUrl(forTenant(scope, tenantId), { url: 'https://hooks.example.com/age' })
  const [issuer, addedAt] = [server.signIn.issuer, server.time.now]
  const [invitationId, invitationCode] = [newId(addedAt), randomSecret()]
  const [apiKeyId, apiKey] = [newId(addedAt), newKeyValue()]
  await server.database.pool.query({
    name: '',
    text: `with members as (
       insert into member (tenant_id, issuer, subject, id, role, added_at)
       select $1::uuid, $2::text, role || ' of ' || $1::uuid, gen_random_uuid(), role, $3::timestamptz from unnest($4::text[]) role
     ), invitations as (
       insert into invitation
         (tenant_id, id, role, code_hash, inviter_issuer, inviter_subject, created_at, expires_at)
       values ($1::uuid, $5, 'viewer', $6, $2::text, 'owner of ' || $1::uuid, $3::timestamptz, $7)
     )
     insert into api_key (id, tenant_id, name, hash, display_start, scopes, created_at)
     values ($8, $1::uuid, 'Till', $9, $10, $11, $3::timestamptz)`,
    values: [
      tenantId,
      issuer,
      addedAt,
      roles,
      invitationId,
      hashInvitationCode(invitationCode),
      new Date(addedAt.getTime() + invitationLifetimeMs()),
      apiKeyId,
      hashKeyValue(apiKey),
      apiKey.slice(0, 12),
      apiKeyScopes,
    ],
  })
  const { verificationId, jwt } = await storeApproval(scope, tenantId)
  await addRequestData(server, tenantId, verificationId)
  const [viewer, developer, owner] = roles.map(role => `${role} of ${tenantId}`) as [string, string, string]
  const invitation = { invitationId, invitationCode }
  const strangerIdToken = await server.signIn.sign({ sub: `stranger to ${tenantId}`, aud: clientId })
  const tokens = { jwt: jwt!, strangerIdToken }
  return { tenantId, owner, developer, viewer, apiKeyId, apiKey, ...invitation, verificationId, ...tokens }
}

export interface VerificationFields {
  status?: VerificationStatus
  createdAt?: Date
}

export async function addVerification(
  server: ConsoleServer,
  tenantId: string,
  { status = 'pending', createdAt = server.time.now }: VerificationFields = {},
): Promise<string> {
  const id = await storeVerification(server.createScope({ kind: 'operator' }, createdAt), tenantId, status)
  await addRequestData(server, tenantId, id)
  return id
}

async function addRequestData(server: ConsoleServer, tenantId: string, id: string): Promise<void> {
  const insert = `insert into request_data (verification_id, tenant_id, ip, user_agent) values (?, ?, '198.51.100.9', 'Firefox')`
  await server.database.orm.em.fork().execute(insert, [id, tenantId])
}
