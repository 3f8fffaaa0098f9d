import { expect } from 'chai'
import { hashKeyValue, newKeyValue } from '#domain/api-key/key-value.ts'
import { DomainError } from '#domain/errors.ts'
import { KnownClients } from '#domain/fairness/known-clients.ts'
import type { RequestCounter } from '#domain/ports.ts'
import type { AdmissionRequest } from '#rest/ports.ts'
import { createKeyAdmission } from '#server/admission/key-admission.ts'
import { rejected } from '../domain/administration/rejected.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useService, useTenant } from '../harness/use-service.ts'
import { interceptPool } from './webhooks/queue/intercept-pool.ts'

describe('The requests of an API key', () => {
  const service = useService()
  const tenant = useTenant(service, { scopes: ['verifications:read'] })

  /** What happens, in order: each count, and the response to each look-up. */
  let events: string[]
  let count: RequestCounter['count']
  function openAdmission() {
    events = []
    count = async () => 1
    const pool = interceptPool(service.services.database.pool, async (_statement, send) => {
      const found = await send()
      events.push('found')
      return found
    })
    const counter: RequestCounter = {
      async count(bucket, now) {
        events.push('counted')
        return await count(bucket, now)
      },
    }
    return createKeyAdmission(pool, counter, new KnownClients(10))
  }

  const request = (key: string, scope: AdmissionRequest['scope'] = 'verifications:read') =>
    ({ keyHash: hashKeyValue(key), scope, rateClass: 'read', now: new Date() }) as const

  it('are counted while the key is looked up, once it is known, and at first afterwards', async () => {
    const { admit } = openAdmission()
    for (const order of [
      ['found', 'counted'],
      ['counted', 'found'],
      ['counted', 'found'],
    ]) {
      events = []
      expect((await admit(request(tenant.apiKey))).admitted).to.equal(true)
      expect(events).to.deep.equal(order)
    }
  })

  it('are not counted for a key that does not exist, which takes no memory of the counter', async () => {
    const { admit } = openAdmission()
    const made = newKeyValue()
    for (let times = 0; times < 3; times += 1)
      expect(await admit(request(made))).to.deep.equal({
        admitted: false,
        key: undefined,
        error: 'UNAUTHENTICATED_TENANT',
      })
    expect(events).to.deep.equal(['found'])
  })

  it('are rejected for their key and not for their number, whatever the counter says', async () => {
    const { apiKey } = await createTestTenant(service)
    const { admit } = openAdmission()
    for (const key of [tenant.apiKey, apiKey]) await admit(request(key))
    count = () => Promise.reject(new DomainError('REDIS_ERROR'))
    expect(await admit(request(tenant.apiKey, 'tokens:validate'))).to.deep.include({ error: 'FORBIDDEN' })
    expect(await admit(request(newKeyValue()))).to.deep.include({ error: 'UNAUTHENTICATED_TENANT' })
    await rejected(admit(request(apiKey)), 'REDIS_ERROR')
    count = async () => 6_001
    const admission = await admit(request(apiKey))
    expect(admission).to.deep.include({ admitted: true })
    expect(admission.admitted && admission.window).to.deep.include({ remaining: 0, exceeded: true })
  })
})
