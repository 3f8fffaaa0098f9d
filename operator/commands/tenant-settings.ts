import type { Command } from 'commander'
import { invalidParameter } from '#domain/parameters.ts'
import { retentionDaysOf } from '#domain/retention.policy.ts'
import type { TenantOperatorScope } from '#domain/scope.ts'
import { setReturnUrl, setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { getSettings } from '#domain/tenant/get-settings.ts'
import { revealWebhookSecret, rotateWebhookSecret } from '#domain/tenant/rotate-webhook-secret.ts'
import { setRetention } from '#domain/tenant/set-retention.ts'
import { onTenant, readWholeNumber, withTenant } from '../options.ts'
import { type Output, record } from '../output.ts'
import type { Perform } from '../perform.ts'

interface UrlOptions {
  url?: string
  clear?: boolean
}

export function addTenantSettingCommands(noun: Command, perform: Perform): void {
  withTenant(noun.command('settings'))
    .description("Show a tenant's webhook and return URLs, and whether it has a webhook secret")
    .action(onTenant(perform, show))
  withUrl(noun.command('set-webhook'))
    .description('Set where webhook events are sent; the first URL also creates the webhook secret')
    .action(onTenant(perform, setWebhook))
  withUrl(noun.command('set-return-url'))
    .description('Set where users are redirected after the hosted page')
    .action(onTenant(perform, setReturn))
  withTenant(noun.command('set-retention'))
    .description(
      'Set after how many days completed verifications are deleted; their new tokens expire by then',
    )
    .requiredOption('--days <n>', "1 up to the service's own, which also follows it again")
    .action(onTenant(perform, setRetentionDays))
  withTenant(noun.command('rotate-webhook-secret'))
    .description('Create a new webhook secret; the previous one stays valid for 24 hours')
    .action(onTenant(perform, rotate))
}

function withUrl(command: Command): Command {
  return withTenant(command).option('--url <url>', 'https URL').option('--clear', 'remove the URL')
}

async function show(scope: TenantOperatorScope): Promise<Output> {
  return record({ tenantId: scope.actor.tenantId, ...(await getSettings(scope)) })
}

async function setWebhook(scope: TenantOperatorScope, options: UrlOptions): Promise<Output> {
  const { webhookUrl, hasWebhookSecret } = await setWebhookUrl(scope, { url: readUrl(options) })
  const secret = hasWebhookSecret ? await revealWebhookSecret(scope) : undefined
  return record({ tenantId: scope.actor.tenantId, webhookUrl, webhookSecret: secret?.webhookSecret })
}

async function setReturn(scope: TenantOperatorScope, options: UrlOptions): Promise<Output> {
  const { returnUrl } = await setReturnUrl(scope, { url: readUrl(options) })
  return record({ tenantId: scope.actor.tenantId, returnUrl })
}

async function setRetentionDays(scope: TenantOperatorScope, options: { days: string }): Promise<Output> {
  const tenant = await setRetention(scope, { days: readWholeNumber('days', options.days) })
  return record({ tenantId: tenant.id, retentionDays: retentionDaysOf(tenant, scope.rules) })
}

async function rotate(scope: TenantOperatorScope): Promise<Output> {
  const { webhookSecret, previousValidUntil } = await rotateWebhookSecret(scope)
  return record({ tenantId: scope.actor.tenantId, webhookSecret, previousValidUntil })
}

function readUrl({ url, clear }: UrlOptions): string | null {
  if ((url === undefined) === (clear === undefined)) {
    throw invalidParameter('url', 'Specify either --url or --clear.')
  }
  return url ?? null
}
