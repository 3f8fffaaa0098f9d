import { newId } from '#domain/ids.ts'
import { stored } from '../../harness/stored.ts'
import { addVerifications } from '../fixture/add-verifications.ts'
import type { Fixture } from '../fixture/fixture.ts'
import type { RequestScenario } from './request-benchmark.ts'

const pageSize = 50
/** A user may make 600 calls a minute. */
const usersPerTenant = 10

export const list: RequestScenario = {
  name: 'list',
  description: `The console's list of verifications over HTTP (tRPC): the first page of ${pageSize}, of each tenant.`,
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
