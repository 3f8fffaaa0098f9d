import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type ZodType, z } from 'zod'
import { expect } from './demo-assertion-error.ts'
import { parseAs, parseJson } from './http.ts'
import type { OperatorContext } from './open-service.ts'
import type { Screen } from './screen.ts'

const program = join(import.meta.dirname, '..', '..', 'operator', 'main.ts')

/**
 * Runs an operator command, prints it if there is a screen, and returns its JSON. Throws a `DemoAssertionError` if it
 * fails.
 */
export async function runOperator<Shape>(
  { env, commands }: OperatorContext,
  args: readonly string[],
  shape: ZodType<Shape>,
  screen?: Screen,
): Promise<Shape> {
  const command = args.map(arg => (/^[\w:/.-]+$/.test(arg) ? arg : `"${arg}"`)).join(' ')
  screen?.request(`$ npm run --silent operator -- ${command} --json`)
  expect(!commands.stopped, 'The demo is stopping.')
  const child = spawn(process.execPath, [program, ...args, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>(resolve => child.once('close', resolve))
  commands.running.add(exited)
  const [out, err, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  expect(
    exitCode === 0,
    `The operator command "${command}" failed: ${messageOf(err) || `exit code ${exitCode}`}`,
  )
  return parseAs(shape, JSON.parse(out), `the operator command "${command}"`)
}

/** The message of an error that the operator printed as JSON, or else all that was printed. */
function messageOf(err: string): string {
  const error = z.object({ message: z.string() }).safeParse(parseJson(err))
  return error.success ? error.data.message : err.trim()
}
