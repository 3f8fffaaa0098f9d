import { defineEntity, p } from '@mikro-orm/core'

const ServiceSettingSchema = defineEntity({
  name: 'ServiceSetting',
  tableName: 'service_setting',
  properties: {
    /** `oldest_program`: see `schema-migration.ts`. `task: …`: see `task-runs.ts`. */
    name: p.string().length(64).primary(),
    value: p.string().length(100),
    updatedAt: p.datetime(3),
  },
})

/** What programs that share the database must know of each other. */
export class ServiceSetting extends ServiceSettingSchema.class {}
ServiceSettingSchema.setClass(ServiceSetting)
