import type { EntityManager } from '@mikro-orm/postgresql'
import type { Scope } from '../scope.ts'
import { findTenant } from './find-tenant.ts'
import type { Tenant } from './tenant.entity.ts'
import { webhookSecrets } from './webhook-secrets.ts'

export interface Settings {
  webhookUrl: string | null
  returnUrl: string | null
  hasWebhookSecret: boolean
  /** Until when the secret before the current one is accepted; null when there is none. */
  previousSecretValidUntil: Date | null
}

export async function getSettings(scope: Scope, { tenantId }: { tenantId: string }): Promise<Settings> {
  const em = scope.em.fork()
  return await settingsOf(scope, em, await findTenant(em, tenantId))
}

/** The settings as they stand within a transaction. */
export async function settingsOf(scope: Scope, em: EntityManager, tenant: Tenant): Promise<Settings> {
  const [current, previous] = await webhookSecrets(em, tenant.id, scope.now)
  return {
    webhookUrl: tenant.webhookUrl ?? null,
    returnUrl: tenant.returnUrl ?? null,
    hasWebhookSecret: current !== undefined,
    previousSecretValidUntil: previous?.expiresAt ?? null,
  }
}
