import type { Command } from 'commander'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { getTenant } from '#domain/tenant/get-tenant.ts'
import { seedHistory } from '../../development/seed/seed-history.ts'
import { readWholeNumber, withTenant } from '../options.ts'
import { type Output, record, type Terminal } from '../output.ts'
import type { Perform } from '../perform.ts'

interface SeedOptions {
  tenant: string
  verifications: string
}

export function addDemoCommands(program: Command, perform: Perform): void {
  const noun = program.command('demo').description('Demo data')
  withTenant(noun.command('seed'))
    .description('Write an invented history of verifications over several months, up to now')
    .requiredOption('--verifications <n>', 'number of verifications')
    .addHelpText('after', '\nExample:\n  operator demo seed --tenant ID --verifications 100000')
    .action((options: SeedOptions) => perform((scope, err) => seed(scope, options, err)))
}

async function seed(
  scope: OperatorScope,
  { tenant: tenantId, verifications }: SeedOptions,
  err: Terminal,
): Promise<Output> {
  const count = readWholeNumber('verifications', verifications)
  const bound = forTenant(scope, tenantId)
  const tenant = await getTenant(bound)
  const showProgress = (written: number) => {
    if (err.isTTY) err.write(`\r${written.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} `)
  }
  const seeded = await seedHistory(bound, { tenant, count, onProgress: showProgress })
  if (err.isTTY) err.write('\r\u001b[K')
  return record({ tenantId, ...seeded })
}
