import type { Command } from 'commander'
import { getTenant } from '#domain/tenant/get-tenant.ts'
import { seedHistory } from '../../development/seed/seed-history.ts'
import { one } from '../answer.ts'
import type { Perform } from '../perform.ts'
import { readWholeNumber } from '../read-option.ts'
import { byTenant } from './by-tenant.ts'

export function addDemoCommands(program: Command, perform: Perform): void {
  const noun = program.command('demo').description('data for looking at')
  byTenant(noun.command('seed'))
    .description('write a made-up history of verifications, of months and up to now')
    .requiredOption('--verifications <n>', 'how many')
    .addHelpText('after', '\nExample:\n  operator demo seed --tenant ID --verifications 100000')
    .action(({ tenant, verifications }: { tenant: string; verifications: string }) =>
      perform(async (scope, err) => {
        const count = readWholeNumber('verifications', verifications)
        const found = await getTenant(scope, { tenantId: tenant })
        const show = (written: number) => {
          if (err.isTTY)
            err.write(`\r${written.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} `)
        }
        const seeded = await seedHistory(scope, { tenant: found, count, onProgress: show })
        if (err.isTTY) err.write('\r\u001b[K')
        return one({ tenantId: tenant, ...seeded })
      }),
    )
}
