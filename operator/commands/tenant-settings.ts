import type { Command } from 'commander'
import { invalidParameter } from '#domain/parameters.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { getSettings } from '#domain/settings/get-settings.ts'
import { revealWebhookSecret } from '#domain/settings/reveal-webhook-secret.ts'
import { rotateWebhookSecret } from '#domain/settings/rotate-webhook-secret.ts'
import { setReturnUrl } from '#domain/settings/set-return-url.ts'
import { setWebhookUrl } from '#domain/settings/set-webhook-url.ts'
import { withTenant } from '../options.ts'
import { type Output, record } from '../output.ts'
import type { Perform } from '../perform.ts'

interface UrlOptions {
  tenant: string
  url?: string
  clear?: boolean
}

export function addTenantSettingCommands(noun: Command, perform: Perform): void {
  withTenant(noun.command('settings'))
    .description("Show a tenant's webhook and return URLs, and whether it has a webhook secret")
    .action(({ tenant }: { tenant: string }) => perform(scope => show(scope, tenant)))
  withUrl(noun.command('set-webhook'))
    .description('Set where webhook events are sent; the first URL also creates the webhook secret')
    .action((options: UrlOptions) => perform(scope => setWebhook(scope, options)))
  withUrl(noun.command('set-return-url'))
    .description('Set where users are redirected after the hosted page')
    .action((options: UrlOptions) => perform(scope => setReturn(scope, options)))
  withTenant(noun.command('rotate-webhook-secret'))
    .description('Create a new webhook secret; the previous one stays valid for 24 hours')
    .action(({ tenant }: { tenant: string }) => perform(scope => rotate(scope, tenant)))
}

function withUrl(command: Command): Command {
  return withTenant(command).option('--url <url>', 'https URL').option('--clear', 'remove the URL')
}

async function show(scope: OperatorScope, tenantId: string): Promise<Output> {
  return record({ tenantId, ...(await getSettings(forTenant(scope, tenantId))) })
}

async function setWebhook(scope: OperatorScope, options: UrlOptions): Promise<Output> {
  const tenantId = options.tenant
  const bound = forTenant(scope, tenantId)
  const { webhookUrl, hasWebhookSecret } = await setWebhookUrl(bound, { url: urlOf(options) })
  const secret = hasWebhookSecret ? await revealWebhookSecret(bound) : undefined
  return record({ tenantId, webhookUrl, webhookSecret: secret?.webhookSecret })
}

async function setReturn(scope: OperatorScope, options: UrlOptions): Promise<Output> {
  const tenantId = options.tenant
  const { returnUrl } = await setReturnUrl(forTenant(scope, tenantId), { url: urlOf(options) })
  return record({ tenantId, returnUrl })
}

async function rotate(scope: OperatorScope, tenantId: string): Promise<Output> {
  const { webhookSecret, previousValidUntil } = await rotateWebhookSecret(forTenant(scope, tenantId))
  return record({ tenantId, webhookSecret, previousValidUntil })
}

function urlOf({ url, clear }: UrlOptions): string | null {
  if ((url === undefined) === (clear === undefined)) {
    throw invalidParameter('url', 'Specify either --url or --clear.')
  }
  return url ?? null
}
