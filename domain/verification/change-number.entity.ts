import { defineEntity, p } from '@mikro-orm/core'

const ChangeNumberSchema = defineEntity({
  name: 'ChangeNumber',
  tableName: 'change_number',
  properties: {
    tenantId: p.uuid().primary(),
    last: p.bigint(),
  },
})

/** The last number that `change-numbers.ts` has given to a verification of the tenant. */
export class ChangeNumber extends ChangeNumberSchema.class {}
ChangeNumberSchema.setClass(ChangeNumber)
