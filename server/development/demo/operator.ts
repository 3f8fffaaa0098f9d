import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ZodType } from 'zod'
import { expect } from './demo-assertion-error.ts'
import type { DemoService } from './open-service.ts'
import { readAs } from './read-as.ts'
import type { Screen } from './screen.ts'

const program = join(import.meta.dirname, '..', '..', 'operator', 'main.ts')

/** Runs a command of the operator's command line, and shows it. Throws a `DemoAssertionError` when it fails. */
export async function operate<Shape>(
  { env }: DemoService,
  args: readonly string[],
  shape: ZodType<Shape>,
  screen?: Screen,
): Promise<Shape> {
  const typed = args.map(arg => (/^[\w:/.-]+$/.test(arg) ? arg : `"${arg}"`)).join(' ')
  screen?.sent(`$ npm run --silent operator -- ${typed} --json`)
  const child = spawn(process.execPath, [program, ...args, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const [out, err, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  expect(exitCode === 0, `The operator's command "${typed}" failed: ${err.trim() || `exit code ${exitCode}`}`)
  return readAs(shape, JSON.parse(out), `the operator's command "${typed}"`)
}
