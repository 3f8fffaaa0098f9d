import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const StartReservationSchema = defineEntity({
  name: 'StartReservation',
  tableName: 'start_reservation',
  indexes: [{ name: 'start_reservation_created_at', properties: ['createdAt'] }],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    /** The id that the verification will have. */
    id: p.uuid().primary(),
    /** The first day of the UTC month whose quota it uses. */
    month: p.date(),
    createdAt: p.datetime(3),
  },
})

/** A start that has used quota and waits for the provider's session. An old one was interrupted. */
export class StartReservation extends StartReservationSchema.class {}
StartReservationSchema.setClass(StartReservation)
