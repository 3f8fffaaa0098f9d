import { type Command, Option } from 'commander'
import { readParameter, wholeNumber } from '#domain/parameters.ts'
import type { OperatorScope } from '#domain/scope.ts'
import { findVerification } from '#domain/verification/find-verification.ts'
import type { PolledVerification } from '#domain/verification/poll-verification.ts'
import { forAnyTenant, type PeriodOptions, readPeriod, readWholeNumber, withPeriod } from '../options.ts'
import { type Output, record, type Terminal } from '../output.ts'
import type { Perform } from '../perform.ts'
import { type PollProgress, pollAtPace } from '../poll-at-pace.ts'
import { countUndecided, findUndecided } from '../queries/find-undecided.ts'

interface PollOptions extends PeriodOptions {
  verification?: string
  tenant?: string
  perSecond: string
}

const helpText = `
For callbacks that were lost: decisions take effect as if their callbacks had arrived, and events are sent. It can be
stopped with Ctrl-C, and repeated: what is decided is not polled again. The exit code is 1 if some could not be polled.

Example:
  operator verification poll --from 2026-11-22T02:00:00Z --to 2026-11-22T08:00:00Z`

export function addVerificationPoll(noun: Command, perform: Perform): void {
  const one = new Option('--verification <id>', 'only this one').conflicts(['from', 'to', 'tenant'])
  withPeriod(noun.command('poll'))
    .description(
      'Poll the identity provider for the decisions of undecided verifications, of those created in a period',
    )
    .addOption(one)
    .option('--tenant <id>', 'id of the tenant; default: all tenants')
    .option('--per-second <n>', 'requests to the provider in a second, 1 to 100', '10')
    .addHelpText('after', helpText)
    .action((options: PollOptions) => perform((scope, { err }) => poll(scope, options, err)))
}

const pace = wholeNumber({ min: 1, max: 100 }, '--per-second must be from 1 to 100.')

async function poll(scope: OperatorScope, options: PollOptions, err: Terminal): Promise<Output> {
  const perSecond = readParameter('per-second', pace, readWholeNumber('per-second', options.perSecond))
  const period = readPeriod(options)
  const bound = forAnyTenant(scope, options.tenant)
  const { verification: verificationId } = options
  const pages = verificationId
    ? [[await findOne(scope, verificationId)]]
    : findUndecided(bound, period, perSecond)
  const total = verificationId ? 1 : await countUndecided(bound, period)
  const { counts, lastFailure } = await pollAtPace(bound, pages, createProgress(err, total))
  if (err.isTTY) err.write(clearLine)
  const { failed } = counts
  if (failed === 0) return record(counts)
  return {
    ...record(counts, `${failed} could not be polled: ${lastFailure}. Repeat the command.`),
    exitCode: 1,
  }
}

async function findOne(scope: OperatorScope, verificationId: string): Promise<PolledVerification> {
  const { test, providerSessionId } = await findVerification(scope, verificationId)
  return { verificationId, test, providerSessionId }
}

/** How often a log gets a line; on a terminal, one line is overwritten. */
const lineEveryMs = 10_000
const clearLine = '\r\u001b[K'

function createProgress(err: Terminal, total: number): PollProgress {
  let lineAt = performance.now() + lineEveryMs
  let waitsUntil = 0
  const show = (line: string) => err.write(err.isTTY ? `${clearLine}${line}` : `${line}\n`)
  return {
    polled({ polled, changed, failed }) {
      if (!err.isTTY && performance.now() < lineAt) return
      lineAt += lineEveryMs
      const unchanged = polled - changed - failed
      show(`Polled ${polled} of ${total}: ${changed} changed, ${unchanged} unchanged, ${failed} failed`)
    },
    waiting(ms) {
      if (performance.now() < waitsUntil) return
      waitsUntil = performance.now() + ms
      show(`The provider limits the rate of requests; waiting ${Math.ceil(ms / 1000)} s`)
    },
  }
}
