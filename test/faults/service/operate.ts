import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { root, type ServiceProcess } from './service-process.ts'

/** Runs the operator's command as people do, beside a running service; answers with the JSON that it prints. */
export async function operate({ env }: ServiceProcess, ...args: string[]) {
  const command = spawn('npm', ['run', '--silent', 'operator', '--', ...args, '--json'], {
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
