import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApiKey } from '#domain/api-key/create-api-key.ts'
import { addMember } from '#domain/member/add-member.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { allPages } from '#domain/page.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { createTenant } from '#domain/tenant/create-tenant.ts'
import { definePlan } from '#domain/tenant/define-plan.ts'
import { listTenants } from '#operator/queries/list-tenants.ts'
import { demoUsers } from './demo-users.ts'

const demoTenantName = 'Demo'
/** Tests send more requests in a minute than a shop. */
const demoPlan = { name: 'demo', rateLimitPerMinute: 10_000, readRateLimitPerMinute: 100_000 }

export interface DemoTenant {
  tenantId: string
  /** Only if this call created the tenant: a key's value is shown once. */
  apiKey: string | undefined
}

/**
 * Creates the demo tenant if the database has no tenants: an API key, a plan with high rates, the webhook URL with its
 * secret, and a member of each role. Its id is stored in the data folder, because a name identifies nobody. Returns
 * undefined if there are tenants, but none is the demo tenant.
 */
export async function ensureDemoTenant(
  operator: () => OperatorScope,
  folder: string,
  webhookUrl: string | undefined,
): Promise<DemoTenant | undefined> {
  const idFile = join(folder, 'demo-tenant')
  const storedId = await readId(idFile)
  const tenants = await listTenants(operator())
  const existing = tenants.find(tenant => tenant.id === storedId)
  if (!existing && tenants.length > 0) return undefined
  const tenantId = existing?.id ?? (await createDemoTenant(operator))
  if (!existing) await writeFile(idFile, `${tenantId}\n`)
  await ensureMembers(operator, tenantId)
  if (webhookUrl && (!existing || isLocalReceiver(existing.webhookUrl))) {
    await setWebhookUrl(forTenant(operator(), tenantId), { url: webhookUrl })
  }
  if (existing) return { tenantId, apiKey: undefined }
  const { value } = await createApiKey(forTenant(operator(), tenantId), { name: 'demo' })
  return { tenantId, apiKey: value }
}

async function createDemoTenant(operator: () => OperatorScope): Promise<string> {
  const { name: plan } = await definePlan(operator(), demoPlan)
  const { id } = await createTenant(operator(), { name: demoTenantName, plan, test: true })
  return id
}

async function readId(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The local receiver's port can change between starts. Any other URL was set by a person, and stays. */
function isLocalReceiver(url: string | null | undefined): boolean {
  return /^https:\/\/127\.0\.0\.1:\d+\/events$/.test(url ?? '')
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
