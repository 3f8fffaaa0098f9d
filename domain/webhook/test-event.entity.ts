import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const TestEventSchema = defineEntity({
  name: 'TestEvent',
  tableName: 'test_event',
  indexes: [{ name: 'test_event_at', properties: ['at'] }],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    /** Counted for each tenant, from 1, in the order of the commits (`record-test-event.ts`). */
    id: p.integer().primary(),
    at: p.datetime(3),
    /** Of the delivery, 1 to 3. */
    attempt: p.smallint(),
    /** The tenant's webhook URL; null if it had none, and nothing was sent. */
    url: p.string().length(2048).nullable(),
    headers: p.json<Record<string, string>>(),
    /** Exactly the text that is signed. */
    body: p.text(),
  },
})

/** The request of an attempt to deliver an event of a test tenant, for programs that receive events by asking for them. */
export class TestEvent extends TestEventSchema.class {}
TestEventSchema.setClass(TestEvent)
