import { defineEntity, p } from '@mikro-orm/core'

const RequestDataSchema = defineEntity({
  name: 'RequestData',
  tableName: 'request_data',
  properties: {
    verificationId: p.uuid().primary(),
    tenantId: p.uuid(),
    userAgent: p.string().length(1024).nullable(),
    ip: p.string().length(64).nullable(),
  },
})

/** What a start reported about the user. Deleted before the verification, in the order of the ids. */
export class RequestData extends RequestDataSchema.class {}
RequestDataSchema.setClass(RequestData)
