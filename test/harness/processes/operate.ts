import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { type CommandResult, runCommand } from '#development/operate.ts'
import { root, type ServiceProcess } from './service-process.ts'

/**
 * Runs the operator's command while the service is running. Returns the JSON that it prints. It runs in this process,
 * because starting another one takes most of a second of CPU time.
 */
export async function operate({ env }: Pick<ServiceProcess, 'env'>, ...args: string[]) {
  return readOutput(await runCommand(env, [...args, '--json']))
}

/** The same through `npm run operator`. */
export async function operateByNpm({ env }: ServiceProcess, ...args: string[]) {
  const command = spawn('npm', ['run', '--silent', 'operator', '--', ...args, '--json'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([
    text(command.stdout),
    text(command.stderr),
    once(command, 'close'),
  ])
  return readOutput({ code, out, err: err.replace(/^npm warn .*\n/gm, '') })
}

/** Adds a member to a tenant, or changes the role of one. */
export function addMember(
  service: Pick<ServiceProcess, 'env'>,
  tenantId: string,
  subject: string,
  role: string,
) {
  return operate(service, 'member', 'add', '--tenant', tenantId, '--subject', subject, '--role', role)
}

function readOutput({ code, out, err }: CommandResult) {
  expect(code, err).to.equal(0)
  expect(err).to.match(/^(Using the embedded database in .*\n)?$/)
  return JSON.parse(out)
}
