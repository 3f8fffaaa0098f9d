import type { EntityManager } from '@mikro-orm/postgresql'
import type { Scope, TenantScope } from '../scope.ts'
import { findTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'
import { webhookSecrets } from './webhook-secrets.ts'

export interface Settings {
  webhookUrl: string | null
  returnUrl: string | null
  hasWebhookSecret: boolean
  /** When the previous secret stops being valid; null if there is none. */
  previousSecretValidUntil: Date | null
}

export async function getSettings(scope: TenantScope): Promise<Settings> {
  return await readSettings(scope, scope.em, await findTenant(scope))
}

/** The settings as seen by a transaction. */
export async function readSettings(scope: Scope, em: EntityManager, tenant: Tenant): Promise<Settings> {
  const [current, previous] = await webhookSecrets(em, tenant.id, scope.now)
  return {
    webhookUrl: tenant.webhookUrl ?? null,
    returnUrl: tenant.returnUrl ?? null,
    hasWebhookSecret: current !== undefined,
    previousSecretValidUntil: previous?.expiresAt ?? null,
  }
}
