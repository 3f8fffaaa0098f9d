import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { addMember } from '#domain/member/add-member.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { allPages } from '#domain/page.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { listTenants } from '#domain/tenant/list-tenants.ts'
import { setWebhookUrl } from '#domain/tenant/set-webhook-url.ts'
import { demoUsers } from './demo-users.ts'

const demoTenantName = 'Demo'

export interface DemoTenant {
  tenantId: string
  /** Only if this call created the tenant: a key's value is shown once. */
  apiKey: string | undefined
}

/**
 * Creates the demo tenant if the database has no tenants: an API key, the default plan, the webhook URL with its
 * secret, and a member of each role. Returns undefined if there are tenants, but none is the demo tenant.
 */
export async function ensureDemoTenant(
  operator: () => OperatorScope,
  webhookUrl: string | undefined,
): Promise<DemoTenant | undefined> {
  const tenants = await listTenants(operator())
  const existing = tenants.find(tenant => tenant.name === demoTenantName)
  if (!existing && tenants.length > 0) return undefined
  const tenantId = existing?.id ?? (await createTenant(operator(), { name: demoTenantName })).id
  await ensureMembers(operator, tenantId)
  if (webhookUrl && (!existing || isLocalReceiver(existing.webhookUrl))) {
    await setWebhookUrl(forTenant(operator(), tenantId), { url: webhookUrl })
  }
  if (existing) return { tenantId, apiKey: undefined }
  const { value } = await createApiKey(forTenant(operator(), tenantId), { name: 'demo' })
  return { tenantId, apiKey: value }
}

/** The local receiver's port can change between starts. Any other URL was set by a person, and stays. */
function isLocalReceiver(url: string | null | undefined): boolean {
  return url !== null && url !== undefined && /^https:\/\/127\.0\.0\.1:\d+\/events$/.test(url)
}

/** Members are identified by issuer and subject, and the local issuer's port can change between starts. */
async function ensureMembers(operator: () => OperatorScope, tenantId: string): Promise<void> {
  const { memberIssuer } = operator().rules
  const members = await allPages(request => listMembers(forTenant(operator(), tenantId), request))
  if (members.some(member => member.issuer === memberIssuer)) return
  for (const { subject, role } of demoUsers) {
    if (role) await addMember(forTenant(operator(), tenantId), { subject, role })
  }
}
