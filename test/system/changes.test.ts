import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { listChanges } from '#domain/verification/list-changes.ts'
import { useFixture } from '../domain/verification/fixture.ts'

/** `CHANGES=1000000` shows it at full size. */
const count = Number(process.env.CHANGES ?? 4_000)
const batchSize = 50_000

describe('The changes of a tenant, read while four processes complete and one is killed', function () {
  this.timeout(60_000 + count * 10)
  const fixture = useFixture()
  const children = new Set<ChildProcess>()
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  it('have none missed and none twice', async () => {
    const tenantId = await fixture.addTenant()
    for (let first = 1; first <= count; first += batchSize) await add(tenantId, first)
    const work = (fourth: number) => {
      const values = [fixture.url, tenantId, String(fourth), fixture.clock().toISOString()]
      const child = fork(`${import.meta.dirname}/completing-process.ts`, values)
      children.add(child)
      return { child, ended: once(child, 'exit') }
    }
    const workers = [0, 1, 2, 3].map(work)
    const [killed] = workers
    const seen = new Set<string>()
    let listed = 0
    let isKilled = false
    let isOver = false
    let after: string | undefined
    const startedAt = performance.now()
    for (;;) {
      const wasOver = isOver
      const scope = fixture.tenant(tenantId) as Parameters<typeof listChanges>[0]
      const request = { after, limit: 100, waitMs: 0, signal: new AbortController().signal }
      const { items, next } = await listChanges(scope, request)
      after = next
      listed += items.length
      for (const { verificationId } of items) seen.add(verificationId)
      if (!isKilled && seen.size > count / 4) {
        isKilled = true
        killed!.child.kill('SIGKILL')
        const others = [...workers.slice(1), work(0)].map(({ ended }) => ended)
        void Promise.all(others).then(() => (isOver = true))
      }
      if (wasOver && items.length === 0) break
    }
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    if (process.env.CHANGES)
      console.log(`${listed} listed, ${seen.size} of ${count} verifications, ${seconds} s`)
    const [stored] = await fixture.rows<{ completed: number }>(
      'select count(*)::int as completed from verification where tenant_id = $1 and completed_at is not null',
      [tenantId],
    )
    expect(killed!.child.signalCode).to.equal('SIGKILL')
    expect({ ...stored, listed, seen: seen.size }).to.deep.equal({
      completed: count,
      listed: count,
      seen: count,
    })
  })

  async function add(tenantId: string, first: number): Promise<void> {
    const last = Math.min(first + batchSize - 1, count)
    await fixture.rows(
      `insert into verification (id, tenant_id, status, provider_session_id)
       select (lpad(to_hex($2::bigint - n % 86400000), 12, '0') || '7' || left(md5(n::text), 3) || '8'
         || substr(md5(n::text), 4, 15))::uuid, $1, 'submitted', 's' || n from generate_series($3::int, $4::int) n`,
      [tenantId, fixture.clock().getTime(), first, last],
    )
  }
})
