import type { Command } from 'commander'
import { z } from 'zod'
import type { PageRequest } from '#domain/page.ts'
import { invalidParameter, readParameter } from '#domain/parameters.ts'
import {
  type AnyOperatorScope,
  forTenant,
  type OperatorScope,
  type TenantOperatorScope,
} from '#domain/scope.ts'
import type { Output } from './output.ts'
import type { Perform } from './perform.ts'

/** Adds the required option `--tenant`. */
export function withTenant(command: Command): Command {
  return command.requiredOption('--tenant <id>', 'id of the tenant')
}

/** Adds the option `--skip-provider`. */
export function withSkipProvider(command: Command): Command {
  return command.option(
    '--skip-provider',
    'do not have sessions deleted at the identity provider, whose API may not allow it',
  )
}

/** The action of a command on the tenant that `--tenant` names. */
export function onTenant<Options>(
  perform: Perform,
  act: (scope: TenantOperatorScope, options: Options) => Promise<Output>,
) {
  return (options: Options & { tenant: string }) =>
    perform(scope => act(forTenant(scope, options.tenant), options))
}

/** The options of a list that is printed page by page. */
export interface PageOptions {
  limit?: string
  after?: string
}

/** Adds the options `--limit` and `--after`. */
export function withPage(command: Command, byDefault: 'all' | '50' = '50'): Command {
  return command
    .option('--limit <n>', `number of items, 1 to 100; default: ${byDefault}`)
    .option('--after <id>', 'id of the last item of the previous page')
}

export function readPage({ limit, after }: PageOptions): PageRequest {
  return {
    limit: limit === undefined ? undefined : readWholeNumber('limit', limit),
    cursor: readParameter('after', lastId, after),
  }
}

const lastId = z.uuid('--after must be the id of the last item of the previous page.').optional()

export interface PeriodOptions {
  from?: string
  to?: string
}

/** Adds the options `--from` and `--to`. */
export function withPeriod(command: Command): Command {
  return command
    .option('--from <time>', 'only from this time on, ISO 8601')
    .option('--to <time>', 'only before this time, ISO 8601')
}

/** Throws `INVALID_PARAMETERS` if the end is not after the beginning. */
export function readPeriod(options: PeriodOptions): { from: Date | undefined; to: Date | undefined } {
  const from = options.from === undefined ? undefined : readDate('from', options.from)
  const to = options.to === undefined ? undefined : readDate('to', options.to)
  if (from && to && from >= to) throw invalidParameter('to', '--to must be after --from.')
  return { from, to }
}

/** The operator's scope, bound to the tenant if an option names one. */
export function forAnyTenant(scope: OperatorScope, tenant: string | undefined): AnyOperatorScope {
  return tenant === undefined ? scope : forTenant(scope, tenant)
}

/** A time with its offset, such as `2027-01-31T00:00:00Z`, or a date, which means midnight UTC. */
export function readDate(option: string, text: string): Date {
  const message = `--${option} must be a time such as 2027-01-31T00:00:00Z.`
  const dateTime = z.union([z.iso.datetime({ offset: true }), z.iso.date()], message)
  return new Date(readParameter(option, dateTime, text))
}

export function readWholeNumber(option: string, text: string): number {
  const digits = z.string().regex(/^\d{1,15}$/, `--${option} must be a whole number.`)
  return Number(readParameter(option, digits, text))
}
