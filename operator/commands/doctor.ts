import { styleText } from 'node:util'
import type { Command } from 'commander'
import type { Check } from '../doctor/check.ts'
import type { Output } from '../output.ts'
import type { Performers } from '../perform.ts'
import { printable } from '../printable.ts'

export function addCommands(noun: Command, { performDiagnosis }: Performers): void {
  noun
    .addHelpText(
      'after',
      '\nIt changes nothing. Run it where the service runs, with the same environment variables.',
    )
    .action(performDiagnosis)
}

/** One line a check; those at fault say what to do. */
export function reportChecks(checks: Check[]): Output {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return {
    json: { checks },
    exitCode: checks.every(({ ok }) => ok) ? 0 : 1,
    text(stream) {
      const lines = checks.map(({ name, ok, message }) => {
        const state = ok ? styleText('green', 'ok   ', { stream }) : styleText('red', 'FAULT', { stream })
        return `${state}  ${name.padEnd(width)}  ${printable(message)}`
      })
      return `${lines.join('\n')}\n`
    },
  }
}
