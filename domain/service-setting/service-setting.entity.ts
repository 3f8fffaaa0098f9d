import { defineEntity, p } from '@mikro-orm/core'

const ServiceSettingSchema = defineEntity({
  name: 'ServiceSetting',
  tableName: 'service_setting',
  properties: {
    /** `key_cache` and `redis`: see `key-cache-setting.ts`. */
    name: p.string().length(64).primary(),
    value: p.string().length(100),
    updatedAt: p.datetime(3),
  },
})

/** How the running services are configured, as far as the operator's command line depends on it. */
export class ServiceSetting extends ServiceSettingSchema.class {}
ServiceSettingSchema.setClass(ServiceSetting)
