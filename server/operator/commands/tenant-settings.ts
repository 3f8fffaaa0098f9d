import type { Command } from 'commander'
import { invalidParameter } from '#domain/parameters.ts'
import type { Scope } from '#domain/scope.ts'
import { revealWebhookSecret } from '#domain/tenant/reveal-webhook-secret.ts'
import { rotateWebhookSecret } from '#domain/tenant/rotate-webhook-secret.ts'
import { setReturnUrl } from '#domain/tenant/set-return-url.ts'
import { setWebhookUrl } from '#domain/tenant/set-webhook-url.ts'
import { type Answer, one } from '../answer.ts'
import type { Perform } from '../perform.ts'
import { byTenant } from './by-tenant.ts'

interface Address {
  tenant: string
  url?: string
  clear?: boolean
}

export function addTenantSettingCommands(noun: Command, perform: Perform): void {
  byAddress(noun.command('set-webhook'))
    .description('say where its events are sent; the first URL comes with a secret')
    .action((options: Address) => perform(scope => setWebhook(scope, options)))
  byAddress(noun.command('set-return-url'))
    .description('say where its users are sent back to from the hosted page')
    .action((options: Address) => perform(scope => setReturn(scope, options)))
  byTenant(noun.command('rotate-webhook-secret'))
    .description('make a new secret; the old one is accepted for 24 hours more')
    .action(({ tenant }: { tenant: string }) => perform(scope => rotate(scope, tenant)))
}

function byAddress(command: Command): Command {
  return byTenant(command).option('--url <url>', 'https address').option('--clear', 'set none instead')
}

async function setWebhook(scope: Scope, options: Address): Promise<Answer> {
  const tenantId = options.tenant
  const { webhookUrl, hasWebhookSecret } = await setWebhookUrl(scope, { tenantId, url: urlOf(options) })
  const secret = hasWebhookSecret ? await revealWebhookSecret(scope, { tenantId }) : undefined
  return one({ tenantId, webhookUrl, webhookSecret: secret?.webhookSecret ?? null })
}

async function setReturn(scope: Scope, options: Address): Promise<Answer> {
  const tenantId = options.tenant
  const { returnUrl } = await setReturnUrl(scope, { tenantId, url: urlOf(options) })
  return one({ tenantId, returnUrl })
}

async function rotate(scope: Scope, tenantId: string): Promise<Answer> {
  const { webhookSecret, previousValidUntil } = await rotateWebhookSecret(scope, { tenantId })
  return one({ tenantId, webhookSecret, previousValidUntil: previousValidUntil?.toISOString() ?? null })
}

function urlOf({ url, clear }: Address): string | null {
  if ((url === undefined) === (clear === undefined)) {
    throw invalidParameter('url', 'Name the address with --url, or use --clear.')
  }
  return url ?? null
}
