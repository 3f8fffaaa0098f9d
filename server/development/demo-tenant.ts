import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { addMember } from '#domain/member/add-member.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { listTenants } from '#domain/tenant/list-tenants.ts'
import { setWebhookUrl } from '#domain/tenant/set-webhook-url.ts'
import { demoUsers } from './demo-users.ts'

const demoTenantName = 'Demo'

export interface DemoTenant {
  tenantId: string
  /** Only where the tenant was made just now: a key is shown once. */
  apiKey: string | undefined
}

/**
 * Makes the demo tenant in an empty database: a key, the default plan, a receiver and its secret, and a member of
 * each role. Undefined where there are tenants, but no demo tenant among them.
 */
export async function ensureDemoTenant(
  operator: () => OperatorScope,
  webhookUrl: string | undefined,
): Promise<DemoTenant | undefined> {
  const tenants = await listTenants(operator())
  const known = tenants.find(tenant => tenant.name === demoTenantName)
  if (!known && tenants.length > 0) return undefined
  const tenantId = known?.id ?? (await createTenant(operator(), { name: demoTenantName })).id
  await ensureMembers(operator, tenantId)
  if (webhookUrl && (!known || isLocalReceiver(known.webhookUrl))) {
    await setWebhookUrl(forTenant(operator(), tenantId), { url: webhookUrl })
  }
  if (known) return { tenantId, apiKey: undefined }
  const { value } = await createApiKey(forTenant(operator(), tenantId), { name: 'demo' })
  return { tenantId, apiKey: value }
}

/** The local receiver's port can change; an address that the tenant was given since is left alone. */
function isLocalReceiver(url: string | null | undefined): boolean {
  return url !== null && url !== undefined && /^https:\/\/127\.0\.0\.1:\d+\/events$/.test(url)
}

/** The sign-in provider's address, by which members are known, can change with its port. */
async function ensureMembers(operator: () => OperatorScope, tenantId: string): Promise<void> {
  const { memberIssuer } = operator().rules
  const members = await listMembers(forTenant(operator(), tenantId))
  if (members.some(member => member.issuer === memberIssuer)) return
  for (const { subject, role } of demoUsers) {
    if (role) await addMember(forTenant(operator(), tenantId), { subject, role })
  }
}
