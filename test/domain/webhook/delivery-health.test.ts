import { expect } from 'chai'
import { newId } from '#domain/ids.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { describeFailure, ownFailures } from '#domain/webhook/delivery-failure.ts'
import {
  countDeliveries,
  countFailingReceivers,
  findFailedAttempts,
  getDeliveryHealth,
} from '#domain/webhook/delivery-health.ts'
import { minuteMs } from '../../harness/scope.ts'
import { useFixture } from '../administration/fixture.ts'

describe('The health of deliveries', () => {
  const start = new Date('2026-11-20T12:00:00.000Z')
  const fixture = useFixture()
  let tenantId: string
  beforeEach(async () => {
    fixture.time.now = start
    tenantId = await addTenant()
  })

  async function addTenant(): Promise<string> {
    const { id } = await createTenant(fixture.operator(), { name: 'Shop' })
    await setWebhookUrl(fixture.operatorFor(id), { url: 'https://hooks.example.com/' })
    return id
  }

  const at = (minutes: number) => new Date(start.getTime() + minutes * minuteMs)

  interface Stored {
    state?: string
    attempts?: number
    /** In minutes after the start; null for no attempt. */
    attempted?: number | null
    created?: number
    failure?: string | null
  }

  const store = (
    { state = 'waiting', attempts = 1, attempted = 0, created = attempted ?? 0, failure = 'connect' }: Stored,
    of = tenantId,
  ) =>
    fixture.operator().em.execute(
      `insert into delivery (created_at, tenant_id, verification_id, due_at, attempted_at, confidence, attempts, state,
         status, failure) values (?, ?, ?, ?, ?, 1, ?, ?, 'approved', ?)`,
      [
        at(created),
        of,
        newId(start),
        start,
        attempted === null ? null : at(attempted),
        attempts,
        state,
        failure,
      ],
    )
  const accept = (attempted: number) => store({ state: 'delivered', attempted, failure: null })
  const health = (of = tenantId) => getDeliveryHealth(fixture.operatorFor(of))
  const healthy = { acceptedAt: null, latestFailure: null, failing: null }

  it('is unknown without events, and none of another tenant', async () => {
    const other = await addTenant()
    for (let minute = 0; minute < 3; minute++) await store({ attempted: minute }, other)
    await store({ state: 'delivered', failure: null }, other)
    expect(await health()).to.deep.equal(healthy)
    expect(await countDeliveries(fixture.operatorFor(tenantId))).to.deep.equal({
      accepted: 0,
      retrying: 0,
      givenUp: 0,
    })
  })

  it('counts what was accepted, is being retried and was given up, but not what has its first attempt to come', async () => {
    await accept(0)
    await accept(1)
    await store({ state: 'waiting' })
    await store({ state: 'new' })
    await store({ state: 'in_flight', attempts: 2 })
    await store({ state: 'failed', attempts: 3 })
    await store({ state: 'new', attempts: 0, attempted: null, failure: null })
    await store({ state: 'in_flight', attempts: 1, attempted: null, failure: null })
    expect(await countDeliveries(fixture.operatorFor(tenantId))).to.deep.equal({
      accepted: 2,
      retrying: 3,
      givenUp: 1,
    })
  })

  it('fails with the third attempt in a row that fails, of three events or of one', async () => {
    await accept(0)
    for (const minute of [1, 2]) {
      await store({ attempted: minute })
      expect(await health()).to.include({ failing: null })
    }
    await store({ attempted: 3, failure: 'status_503' })
    const { description, remedy } = describeFailure('status_503')
    const firstDescription = describeFailure('connect').description
    expect(await health()).to.deep.equal({
      acceptedAt: at(0),
      latestFailure: { at: at(3), description, remedy },
      failing: { at: at(3), description, remedy, events: 3, since: at(1), firstDescription },
    })
    const other = await addTenant()
    await store({ state: 'failed', attempts: 3, attempted: 11 }, other)
    expect((await health(other)).failing).to.deep.include({ at: at(11), events: 1 })
  })

  it('is restored by one event that is accepted, whatever fails before it', async () => {
    for (const minute of [1, 2, 3]) await store({ state: 'failed', attempts: 3, attempted: minute })
    expect((await health()).failing).to.include({ events: 3 })
    await accept(4)
    expect(await health()).to.deep.include({ acceptedAt: at(4), failing: null })
    expect((await health()).latestFailure).to.include({ description: 'no connection to the receiver' })
    await store({ attempted: 5 })
    expect(await health()).to.include({ failing: null })
  })

  it('says since when, also beyond the events that it counts, and the operator of how many tenants for an hour', async () => {
    const { pool } = fixture.operator()
    const failing = (minute: number) => countFailingReceivers(pool, at(minute))
    await accept(35)
    await store({ state: 'failed', attempts: 3, attempted: 37, created: 31, failure: 'timeout' })
    for (let minute = 38; minute < 50; minute++) await store({ attempted: minute, created: minute })
    const [row] = await findFailedAttempts(pool, { tenantId, limit: 2, ownFailures })
    expect(row).to.deep.include({ since: at(35), firstFailure: 'timeout', receiverFailedAt: at(49) })
    const others = await failing(94)
    expect(await failing(95)).to.equal(others + 1)
    await accept(51)
    expect(await failing(95)).to.equal(others)
  })

  it('does not fail for what is no fault of the receiver, or without a webhook URL', async () => {
    for (const failure of ['interrupted', 'error', 'expired', 'no_url']) {
      await store({ state: 'failed', attempts: 3, failure })
    }
    expect(await health()).to.include({ failing: null })
    await store({ state: 'failed', attempts: 3 })
    expect((await health()).failing).to.include({ events: 1 })
    await setWebhookUrl(fixture.operatorFor(tenantId), { url: null })
    expect(await health()).to.include({ failing: null })
  })
})
