import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { firstIdAtTime, newId, timeOfId } from '#domain/ids.ts'
import { stored } from '../../harness/stored.ts'
import { addVerifications } from '../fixture/add-verifications.ts'
import type { Fixture } from '../fixture/fixture.ts'
import type { RequestScenario } from './request-scenario.ts'

const pageSize = 50
/** A user may make 600 calls a minute. */
const usersPerTenant = 10

export const list: RequestScenario = {
  name: 'list',
  description: `The console's list of verifications over HTTP (tRPC): the first page of ${pageSize}, of each tenant.`,
  floorDescription:
    'the RS256 signature check of the access token with node:crypto, one SELECT of the membership with its tenant, ' +
    'the SELECT of the page, JSON.',
  status: 200,
  single: false,
  async requests(fixture) {
    await addVerifications(fixture, fixture.tenants.length * (pageSize + 1))
    const tokens = await addMembers(fixture)
    return tokens.map(token => ({
      method: 'GET',
      path: '/console/verifications.list',
      headers: { authorization: `Bearer ${token}` },
    }))
  },
  async floor({ pool, oidcIssuer }) {
    const { keys } = (await (await fetch(`${oidcIssuer}/jwks`)).json()) as { keys: [JsonWebKey] }
    const key = createPublicKey({ format: 'jwk', key: keys[0] })
    return async ({ headers }) => {
      const token = String(headers.authorization).slice('Bearer '.length)
      const end = token.lastIndexOf('.')
      const signature = Buffer.from(token.slice(end + 1), 'base64url')
      const signed = verify('sha256', Buffer.from(token.slice(0, end)), key, signature)
      if (!signed) throw new Error('invalid signature')
      const { iss, sub } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
      const { rows: memberships } = await pool.query({ ...findMembership, values: [iss, sub] })
      const { rows } = await pool.query({ ...findPage, values: [memberships[0].tenant_id] })
      const items = rows.slice(0, pageSize).map(({ id, status, confidence, over18, completed_at }) => ({
        verificationId: id,
        status,
        confidence,
        over18,
        createdAt: timeOfId(id).toISOString(),
        completedAt: completed_at?.toISOString() ?? null,
      }))
      return { result: { data: { items, nextCursor: items.at(-1)?.verificationId ?? null } } }
    }
  },
}

const findMembership = {
  name: 'find-membership',
  text: `select m.tenant_id, m.role, t.name, t.disabled_at from member m join tenant t on t.id = m.tenant_id
    where m.issuer = $1 and m.subject = $2`,
}

const findPage = {
  name: 'find-page',
  text: `select id, status, confidence, over18, completed_at from verification
    where tenant_id = $1 and id >= ${firstIdAtTime("now() - interval '1 month'")}
    order by id desc limit ${pageSize + 1}`,
}

/** Adds users to each tenant. Returns their access tokens, one of each tenant after the other. */
async function addMembers(fixture: Fixture): Promise<string[]> {
  const { tenants, signIn } = fixture
  const now = new Date()
  const users = Array.from({ length: usersPerTenant }, (_, user) =>
    tenants.map(({ tenantId }) => ({ tenantId, subject: `user-${user}-${tenantId}`, id: newId(now) })),
  ).flat()
  await stored(
    fixture,
    `insert into member (tenant_id, issuer, subject, id, role, added_at, last_seen_at)
      select "tenantId", $1, subject, id, 'viewer', $2, $2
      from jsonb_to_recordset($3) as new ("tenantId" uuid, subject text, id uuid)
      on conflict do nothing`,
    [signIn.issuer, now, JSON.stringify(users)],
  )
  const exp = Math.floor(now.getTime() / 1000) + 24 * 60 * 60
  return await Promise.all(users.map(({ subject }) => signIn.sign({ sub: subject, name: subject, exp })))
}
