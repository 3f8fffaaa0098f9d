import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { root, type ServiceProcess } from './service-process.ts'

/** Runs the operator's command while the service is running. Returns the JSON that it prints. */
export function operate({ env }: ServiceProcess, ...args: string[]) {
  return run([process.execPath, join(root, 'server', 'operator', 'main.ts')], env, args)
}

/** The same through `npm run operator`. */
export function operateByNpm({ env }: ServiceProcess, ...args: string[]) {
  return run(['npm', 'run', '--silent', 'operator', '--'], env, args)
}

async function run([program = '', ...before]: string[], env: Record<string, string>, args: string[]) {
  const command = spawn(program, [...before, ...args, '--json'], {
    ...{ cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] },
  })
  const [out, err, [code]] = await Promise.all([
    text(command.stdout),
    text(command.stderr),
    once(command, 'close'),
  ])
  expect({ code, err: err.replace(/^npm warn .*\n/gm, '') }).to.deep.equal({ code: 0, err: '' })
  return JSON.parse(out)
}
