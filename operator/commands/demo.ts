import type { Command } from 'commander'
import { z } from 'zod'
import { recordAuditEvent } from '#domain/audit-event/record-audit-event.ts'
import { transaction } from '#domain/database/transaction.ts'
import { listMembers } from '#domain/member/list-members.ts'
import { allPages } from '#domain/page.ts'
import { readParameter } from '#domain/parameters.ts'
import { forTenant, type OperatorScope, type Rules } from '#domain/scope.ts'
import { findTenant } from '#domain/tenant/find-tenant.ts'
import type { Tenant } from '#domain/tenant/tenant.entity.ts'
import { StartError } from '#server/configuration/start-error.ts'
import { readWholeNumber, withTenant } from '../options.ts'
import { type Output, record } from '../output.ts'
import type { CommandContext, Performers } from '../perform.ts'

interface SeedOptions {
  tenant: string
  verifications: string
}

export function addCommands(noun: Command, { perform }: Performers): void {
  withTenant(noun.command('seed'))
    .description(
      'Write a generated history of several months to the embedded database; its tokens never validate',
    )
    .requiredOption('--verifications <n>', 'number of verifications')
    .addHelpText('after', '\nExample:\n  operator demo seed --tenant ID --verifications 100000')
    .action((options: SeedOptions) => perform((scope, context) => seed(scope, options, context)))
}

const countMessage = 'The number of verifications must be from 1 to 1,000,000.'
const seedCount = z.int(countMessage).min(1, countMessage).max(1_000_000, countMessage)
const monthMs = 30 * 24 * 60 * 60 * 1000

/** Writes a history up to now, after an audit event. Throws INVALID_PARAMETERS if the number is out of bounds. */
async function seed(
  scope: OperatorScope,
  { tenant: tenantId, verifications }: SeedOptions,
  { err, isEmbedded }: CommandContext,
): Promise<Output> {
  const count = readParameter('verifications', seedCount, readWholeNumber('verifications', verifications))
  if (!isEmbedded) {
    throw new StartError('demo seed works on the embedded database only, and DATABASE_URL names another one.')
  }
  const bound = forTenant(scope, tenantId)
  const tenant = await findTenant(bound)
  const members = await allPages(request => listMembers(bound, request))
  await transaction(bound, async em => {
    const changes = { verifications: count }
    recordAuditEvent(bound, em, { action: 'demo.seed', target: tenantId, changes })
  })
  // Imported only here: the image has nothing of `development`.
  const { fillHistory } = await import('#development/history/fill-history.ts')
  const { now: to, rules, pool } = scope
  const from = new Date(to.getTime() - historyMonths(rules, tenant, count) * monthMs)
  const seeded = await fillHistory(pool, {
    tenantId,
    verifications: count,
    from,
    to,
    rules,
    members: members.filter(({ role }) => role !== 'viewer'),
    onProgress: written => {
      if (err.isTTY) err.write(`\r${written.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} `)
    },
  })
  if (err.isTTY) err.write('\r\u001b[K')
  return record({ tenantId, ...seeded })
}

/**
 * Enough months (at least 5, and at most what is retained) to stay below the monthly quota, so that the tenant can still
 * start verifications.
 */
function historyMonths({ verificationRetentionMs }: Rules, { plan }: Tenant, count: number): number {
  const limit = plan.overage ? plan.hardLimit : Math.min(plan.monthlyQuota, plan.hardLimit)
  return Math.min(verificationRetentionMs / monthMs, Math.max(5, Math.ceil(count / (limit * 0.6 + 1))))
}
