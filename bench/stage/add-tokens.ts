import { signAgeToken } from '#domain/token/sign-age-token.ts'
import { loadVerification } from '#domain/verification/load-verification.ts'
import type { BenchTenant } from './add-tenants.ts'
import { addVerifications } from './add-verifications.ts'
import type { Stage } from './open-stage.ts'

/** Valid tokens of adults, signed and stored as the service does, spread over the tenants. */
export async function addTokens(
  stage: Stage,
  count: number,
): Promise<{ jwt: string; tenant: BenchTenant }[]> {
  const scope = stage.services.scopeFor({ kind: 'service' })
  const verifications = await addVerifications(stage, count)
  const { kid } = (await loadVerification(scope, verifications[0]!.id))!
  const tokens = []
  for (const { id: verificationId, tenant } of verifications) {
    const owner = { verificationId, tenantId: tenant.tenantId }
    const { jti, jwt } = await signAgeToken(scope, { ...owner, over18: true, kid })
    tokens.push({ verificationId, jti, jwt, tenant })
  }
  await stage.services.database.pool.query({
    name: '',
    text: `insert into token (id, verification_id, kid, jwt, over18, issued_at, expires_at)
      select id, verification_id, $1, jwt, true, now(), now() + interval '30 days'
      from unnest($2::uuid[], $3::uuid[], $4::text[]) as new (id, verification_id, jwt)`,
    values: [
      kid,
      tokens.map(({ jti }) => jti),
      tokens.map(({ verificationId }) => verificationId),
      tokens.map(({ jwt }) => jwt),
    ],
  })
  return tokens
}
