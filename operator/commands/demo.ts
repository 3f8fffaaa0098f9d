import type { Command } from 'commander'
import { z } from 'zod'
import { recordAuditEvent } from '#domain/audit/record-audit-event.ts'
import { transaction } from '#domain/database/transaction.ts'
import { readParameter } from '#domain/parameters.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { findTenant } from '#domain/tenant/find-tenant.ts'
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
      'Add verifications of the last four weeks to a tenant of the embedded database, with all that follows from them',
    )
    .requiredOption('--verifications <n>', 'number of verifications')
    .addHelpText('after', '\nExample:\n  operator demo seed --tenant ID --verifications 500')
    .action((options: SeedOptions) => perform((scope, context) => seed(scope, options, context)))
}

const countMessage = 'The number of verifications must be from 1 to 10,000.'
const seedCount = z.int(countMessage).min(1, countMessage).max(10_000, countMessage)

/** Adds a history up to now, after an audit event. Throws INVALID_PARAMETERS if the number is out of bounds. */
async function seed(
  scope: OperatorScope,
  { tenant: tenantId, verifications: given }: SeedOptions,
  { err, isEmbedded }: CommandContext,
): Promise<Output> {
  const verifications = readParameter('verifications', seedCount, readWholeNumber('verifications', given))
  if (!isEmbedded) {
    throw new StartError('demo seed works on the embedded database only, and DATABASE_URL names another one.')
  }
  const bound = forTenant(scope, tenantId)
  const { test } = await findTenant(bound)
  await transaction(bound, async em => {
    recordAuditEvent(bound, em, { action: 'demo.seed', target: tenantId, changes: { verifications } })
  })
  // Imported only here: the image has nothing of `development`.
  const { fillHistory } = await import('#development/fill-history.ts')
  const onProgress = (count: number) => {
    if (err.isTTY) err.write(`\r${count} of ${verifications} `)
  }
  await fillHistory(scope, { tenantId, test, verifications, onProgress })
  if (err.isTTY) err.write('\r\u001b[K')
  return record({ tenantId, verifications })
}
