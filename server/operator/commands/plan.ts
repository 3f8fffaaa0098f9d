import { type Command, Option } from 'commander'
import { definePlan } from '#domain/plan/define-plan.ts'
import { listPlans } from '#domain/plan/list-plans.ts'
import type { Plan } from '#domain/plan/plan.entity.ts'
import { many, one } from '../answer.ts'
import type { Perform } from '../perform.ts'
import { readWholeNumber } from '../read-option.ts'

interface PlanOptions {
  name: string
  rateLimit?: string
  readRateLimit?: string
  monthlyQuota?: string
  hardLimit?: string
  overage?: 'true' | 'false'
}

export function addPlanCommands(program: Command, perform: Perform): void {
  const noun = program.command('plan').description('limits that tenants share')
  noun
    .command('set')
    .description("make or change a plan; what is not named keeps its value, or takes the default plan's")
    .requiredOption('--name <plan>', 'name of the plan')
    .option('--rate-limit <n>', 'starts, completes and submits per minute and key')
    .option('--read-rate-limit <n>', 'status and validate requests per minute and key')
    .option('--monthly-quota <n>', 'starts per UTC month')
    .option('--hard-limit <n>', 'starts per UTC month that not even overage goes beyond')
    .addOption(
      new Option('--overage <yes>', 'whether starts go on beyond the quota').choices(['true', 'false']),
    )
    .addHelpText('after', '\nExample:\n  operator plan set --name large --rate-limit 600 --overage true')
    .action((options: PlanOptions) =>
      perform(async scope => one(present(await definePlan(scope, readPlan(options))))),
    )
  noun
    .command('list')
    .description('all plans')
    .action(() =>
      perform(async scope => many((await listPlans(scope)).map(present), 'There are no plans yet.')),
    )
}

function readPlan(options: PlanOptions) {
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
