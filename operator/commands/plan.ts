import { type Command, Option } from 'commander'
import { definePlan, type PlanDefinition } from '#domain/tenant/define-plan.ts'
import { listPlans } from '#domain/tenant/find-plan.ts'
import type { Plan } from '#domain/tenant/plan.entity.ts'
import { readWholeNumber } from '../options.ts'
import { list, record } from '../output.ts'
import type { Performers } from '../perform.ts'

interface PlanOptions {
  name: string
  rateLimit?: string
  readRateLimit?: string
  monthlyQuota?: string
  hardLimit?: string
  overage?: 'true' | 'false'
}

export function addCommands(noun: Command, { perform }: Performers): void {
  noun
    .command('set')
    .description(
      'Create or change a plan; omitted limits keep their value, or the default plan’s for a new plan',
    )
    .requiredOption('--name <plan>', 'name of the plan')
    .option('--rate-limit <n>', 'starts, completes and submits per minute and key')
    .option('--read-rate-limit <n>', 'status and validate requests per minute and key')
    .option('--monthly-quota <n>', 'starts per UTC month')
    .option('--hard-limit <n>', 'starts per UTC month that overage cannot exceed')
    .addOption(
      new Option('--overage <boolean>', 'whether starts beyond the quota are allowed').choices([
        'true',
        'false',
      ]),
    )
    .addHelpText('after', '\nExample:\n  operator plan set --name large --rate-limit 600 --overage true')
    .action((options: PlanOptions) =>
      perform(async scope => record(present(await definePlan(scope, readDefinition(options))))),
    )
  noun
    .command('list')
    .description('List plans')
    .action(() =>
      perform(async scope => list((await listPlans(scope)).map(present), 'There are no plans yet.')),
    )
}

function readDefinition(options: PlanOptions): PlanDefinition {
  const count = (option: string, text: string | undefined) =>
    text === undefined ? undefined : readWholeNumber(option, text)
  return {
    name: options.name,
    rateLimitPerMinute: count('rate-limit', options.rateLimit),
    readRateLimitPerMinute: count('read-rate-limit', options.readRateLimit),
    monthlyQuota: count('monthly-quota', options.monthlyQuota),
    hardLimit: count('hard-limit', options.hardLimit),
    overage: options.overage === undefined ? undefined : options.overage === 'true',
  }
}

function present({ name, rateLimitPerMinute, readRateLimitPerMinute, ...limits }: Plan) {
  const { monthlyQuota, hardLimit, overage } = limits
  return { name, rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage }
}
