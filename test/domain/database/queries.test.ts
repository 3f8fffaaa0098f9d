import { expect } from 'chai'
import { findUnindexed } from '../../harness/run/check-queries.ts'

const id = "'019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1'"
const deliveries = `select "d0".* from "delivery" as "d0" where "d0"."tenant_id" = ${id}`
const verifications = 'select "v0"."id" from "verification" as "v0" where'
const open = 'select "o0".* from "open_verification" as "o0" where'

/** Texts as MikroORM sends them. The queries of all tests are judged in this way. */
describe('Queries of the unit of work', () => {
  for (const [name, query] of Object.entries({
    'filters the deliveries of all tenants': `${deliveries} and "d0"."state" = 'delivered'`,
    'filters the rows of all tenants since an id': `${deliveries} and "d0"."verification_id" > ${id}`,
    'filters everything for a page': `${verifications} "v0"."provider_session_id" = 'x' order by "v0"."id" limit 50`,
    'counts everything': 'select count(*) as "count" from "audit_event" as "a0"',
    'deletes by a column without an index': `delete from "verification_outcome" where "verification_id" = ${id}`,
  })) {
    it(`are reported if one ${name}, with what to do`, async () => {
      const [found, ...others] = await findUnindexed([query])
      expect(found)
        .to.contain(query)
        .and.match(/^No index of \w+ serves .*\n.* npm run migration\.$/)
      expect(others).to.deep.equal([])
    })
  }

  it('are not reported if an index finds the rows of a tenant, of an id or of a page', async () => {
    const served = [
      `${verifications} "v0"."tenant_id" = ${id} and "v0"."id" >= ${id} order by "v0"."id" limit 1`,
      `update "verification" set "over18" = true where "id" = ${id}`,
      `${open} "o0"."verification_id" in (${id}, ${id})`,
      `select "s0".* from "service_audit_event" as "s0" where "s0"."id" >= ${id}`,
      'select "s0".* from "service_audit_event" as "s0" order by "s0"."id" desc limit 2',
    ]
    expect(await findUnindexed(served)).to.deep.equal([])
  })
})
