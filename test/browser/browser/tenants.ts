import { liveKeysMax } from '#domain/api-key/api-key.policy.ts'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { addMember } from '#domain/member/add-member.ts'
import { type Role, roles } from '#domain/permissions.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { openOperatorScope } from '#operator/open-scope.ts'
import type { SharedService } from '../../harness/run/shared-service.ts'

export interface NewTenant {
  tenantId: string
  apiKey: string
}

/** Creates a tenant as the first start of a service does: with a key, a webhook URL and a member of each role. */
export async function createDemoTenant(
  service: SharedService,
  subjectOf: (role: Role) => string,
): Promise<NewTenant> {
  return await operateOn(service, async scope => {
    const { id: tenantId } = await createTenant(scope, { name: 'Demo' })
    const bound = forTenant(scope, tenantId)
    for (const role of roles) await addMember(bound, { subject: subjectOf(role), role })
    await setWebhookUrl(bound, { url: service.webhookUrl })
    const { value: apiKey } = await createApiKey(bound, { name: 'demo' })
    return { tenantId, apiKey }
  })
}

/** Adds live keys until the tenant has as many as it can have. */
export async function fillKeys(service: SharedService, tenantId: string): Promise<void> {
  await operateOn(service, scope =>
    scope.em.execute(
      `insert into api_key (tenant_id, id, name, hash, display_start, scopes, created_at)
       select ?, uuidv7(), 'stored', gen_random_uuid(), 'avk_stored', '{tokens:validate}', now()
       from generate_series(1, ? - (select count(*) from api_key
         where tenant_id = ? and revoked_at is null and (expires_at is null or expires_at > now())))`,
      [tenantId, liveKeysMax, tenantId],
    ),
  )
}

/** Makes a user who is a member of some tenant the owner of further tenants. */
export async function addTenants(service: SharedService, subject: string, names: string[]): Promise<void> {
  await operateOn(service, scope =>
    scope.em.execute(
      `with added as (
         insert into tenant (id, name, plan_name, subscription, created_at)
         select gen_random_uuid(), name, 'default', 'active', now() from json_array_elements_text(?) name
         returning id
       )
       insert into member (tenant_id, issuer, subject, id, role, added_at)
       select added.id, issuer, subject, uuidv7(), 'owner', now()
       from added, (select distinct issuer, subject from member where subject = ?) users`,
      [JSON.stringify(names), subject],
    ),
  )
}

/** What a day's verifications came to, of users who all submitted. */
export interface DayResults {
  approved: number
  denied: number
}

/** Replaces what is counted for each of some UTC days. */
export async function setUsageDays(
  service: SharedService,
  tenantId: string,
  days: string[],
  { approved, denied }: DayResults,
): Promise<void> {
  const ended = approved + denied
  await operateOn(service, scope =>
    scope.em.execute(
      `insert into usage_day (tenant_id, day, started, opened, user_submitted, approved, over18, denied)
       select ?, day::date, ?, ?, ?, ?, ?, ? from json_array_elements_text(?) day
       on conflict (tenant_id, day) do update set started = excluded.started, opened = excluded.opened,
         user_submitted = excluded.user_submitted, approved = excluded.approved, over18 = excluded.over18,
         denied = excluded.denied, rejected = 0, submitted = 0, resubmission = 0, under18 = 0`,
      [tenantId, ended, ended, ended, approved, approved, denied, JSON.stringify(days)],
    ),
  )
}

async function operateOn<Value>(
  { env }: SharedService,
  action: (scope: OperatorScope) => Promise<Value>,
): Promise<Value> {
  const { scope, close } = await openOperatorScope(env)
  try {
    return await action(scope)
  } finally {
    await close()
  }
}
