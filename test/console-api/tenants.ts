import { randomInt, randomUUID } from 'node:crypto'
import { ApiKey } from '#domain/api-key/api-key.entity.ts'
import { hashKeyValue, newKeyValue } from '#domain/api-key/key-value.ts'
import { newId, randomSecret } from '#domain/ids.ts'
import { Invitation } from '#domain/member/invitation.entity.ts'
import { invitationLifetimeMs } from '#domain/member/invitation.policy.ts'
import { hashInvitationCode } from '#domain/member/invitation-code.ts'
import { Member } from '#domain/member/member.entity.ts'
import { apiKeyScopes, roles } from '#domain/permissions.ts'
import { forTenant } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/settings/set-webhook-url.ts'
import { SigningKey } from '#domain/signing-key/signing-key.entity.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { ageTokenOf } from '#domain/token/age-token.ts'
import { statusListSize } from '#domain/token/status-list.policy.ts'
import { TokenSigner } from '#domain/token/token-signer.entity.ts'
import { OpenVerification } from '#domain/verification/open-verification.entity.ts'
import { RequestData } from '#domain/verification/request-data.entity.ts'
import { Verification } from '#domain/verification/verification.entity.ts'
import { VerificationOutcome } from '#domain/verification/verification-outcome.entity.ts'
import type { VerificationStatus } from '#domain/verification-status.ts'
import type { ConsoleServer } from './console-server.ts'
import { clientId } from './sign-in-provider.ts'

const dayMs = 24 * 60 * 60 * 1000

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
  const em = server.database.orm.em.fork()
  const [issuer, addedAt] = [server.signIn.issuer, server.time.now]
  for (const role of roles)
    em.create(Member, {
      tenantId,
      issuer,
      subject: `${role} of ${tenantId}`,
      id: newId(addedAt),
      role,
      addedAt,
    })
  const invitationId = newId(addedAt)
  const invitationCode = randomSecret()
  em.create(Invitation, {
    tenantId,
    id: invitationId,
    role: 'viewer',
    codeHash: hashInvitationCode(invitationCode),
    inviterIssuer: issuer,
    inviterSubject: `owner of ${tenantId}`,
    createdAt: addedAt,
    expiresAt: new Date(addedAt.getTime() + invitationLifetimeMs()),
  })
  const apiKey = newKeyValue()
  const apiKeyId = newId(addedAt)
  em.create(ApiKey, {
    id: apiKeyId,
    tenantId,
    name: 'Till',
    hash: hashKeyValue(apiKey),
    displayStart: apiKey.slice(0, 12),
    scopes: [...apiKeyScopes],
    createdAt: addedAt,
  })
  await em.flush()
  const verificationId = await addVerification(server, tenantId, { status: 'approved' })
  const jwt = await addToken(server, tenantId, verificationId)
  const [viewer, developer, owner] = roles.map(role => `${role} of ${tenantId}`) as [string, string, string]
  const invitation = { invitationId, invitationCode }
  const strangerIdToken = await server.signIn.sign({ sub: `stranger to ${tenantId}`, aud: clientId })
  const tokens = { jwt, strangerIdToken }
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
  const em = server.database.orm.em.fork()
  const id = newId(createdAt)
  const completed = ['approved', 'denied', 'rejected'].includes(status)
  em.create(Verification, {
    id,
    tenantId,
    status,
    providerSessionId: randomUUID(),
    ...(completed && { completedAt: createdAt, confidence: 0.9 }),
  })
  if (completed && status !== 'approved')
    em.create(VerificationOutcome, { verificationId: id, tenantId, status })
  if (!completed) {
    const closesAt = new Date(createdAt.getTime() + 8 * dayMs)
    em.create(OpenVerification, { verificationId: id, tenantId, status, closesAt })
  }
  em.create(RequestData, { verificationId: id, tenantId, ip: '198.51.100.9', userAgent: 'Firefox' })
  await em.flush()
  return id
}

/** Gives an approved verification a token with a signature that is not checked here. */
async function addToken(server: ConsoleServer, tenantId: string, verificationId: string): Promise<string> {
  const em = server.database.orm.em.fork()
  const issuedAt = server.time.now
  const terms = { kid: 'test', issuer: server.url, lifetimeSeconds: 30 * 86_400 }
  if (!(await em.findOne(SigningKey, { kid: terms.kid }))) {
    em.create(SigningKey, {
      kid: terms.kid,
      publicJwk: { kty: 'EC' },
      encryptedPrivateJwk: Buffer.from('-'),
      createdAt: issuedAt,
      signsFrom: issuedAt,
    })
    em.create(TokenSigner, { id: 1, ...terms, statusKey: Buffer.alloc(16) })
    await em.flush()
  }
  const verification = await em.findOneOrFail(Verification, verificationId)
  const { completedAt } = verification
  const [jti, signature] = [newId(issuedAt), Buffer.from(randomUUID())]
  const place = { signer: 1, statusIndex: randomInt(statusListSize) }
  const stored = { tokenSigner: place.signer, tokenStatusIndex: place.statusIndex, tokenSignature: signature }
  Object.assign(verification, { over18: true, tokenId: jti, ...stored })
  await em.flush()
  const token = {
    verificationId,
    tenantId,
    completedAt: completedAt!,
    over18: true,
    jti,
    signature,
    ...place,
    ...terms,
  }
  return ageTokenOf(token)!
}
