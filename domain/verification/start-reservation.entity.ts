import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const StartReservationSchema = defineEntity({
  name: 'StartReservation',
  tableName: 'start_reservation',
  indexes: [{ name: 'start_reservation_age', properties: ['createdAt'] }],
  properties: {
    /** The id that the verification will have. */
    id: p.uuid().primary(),
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id'),
    /** The first day of the UTC month whose quota it took. */
    month: p.date(),
    createdAt: p.datetime(3),
  },
})

/** A start that took its quota and waits for the provider's session. One that stays was interrupted. */
export class StartReservation extends StartReservationSchema.class {}
StartReservationSchema.setClass(StartReservation)
