import type { Command } from 'commander'
import { seedHistory } from '#development/seed/seed-history.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { getTenant } from '#domain/tenant/get-tenant.ts'
import { StartError } from '#server/start-error.ts'
import { readWholeNumber, withTenant } from '../options.ts'
import { type Output, record } from '../output.ts'
import type { CommandContext, Performers } from '../perform.ts'

interface SeedOptions {
  tenant: string
  verifications: string
}

export function addDemoCommands(noun: Command, { perform }: Performers): void {
  withTenant(noun.command('seed'))
    .description(
      'Write a generated history of several months to the embedded database; its tokens never validate',
    )
    .requiredOption('--verifications <n>', 'number of verifications')
    .addHelpText('after', '\nExample:\n  operator demo seed --tenant ID --verifications 100000')
    .action((options: SeedOptions) => perform((scope, context) => seed(scope, options, context)))
}

async function seed(
  scope: OperatorScope,
  { tenant: tenantId, verifications }: SeedOptions,
  { err, isEmbedded }: CommandContext,
): Promise<Output> {
  const count = readWholeNumber('verifications', verifications)
  if (!isEmbedded) {
    throw new StartError('demo seed works on the embedded database only, and DATABASE_URL names another one.')
  }
  const bound = forTenant(scope, tenantId)
  const tenant = await getTenant(bound)
  const showProgress = (written: number) => {
    if (err.isTTY) err.write(`\r${written.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} `)
  }
  const seeded = await seedHistory(bound, { tenant, count, onProgress: showProgress })
  if (err.isTTY) err.write('\r\u001b[K')
  return record({ tenantId, ...seeded })
}
