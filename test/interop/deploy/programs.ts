import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '#server/http/free-port.ts'
import { endProcess, killOnExit } from '../../harness/processes/process-tree.ts'
import { findProgram } from '../../harness/system-program.ts'

export const caddy = { isMissing: !findProgram('caddy'), reason: 'no caddy (apt-get install caddy)' }
export const openssl = { isMissing: !findProgram('openssl'), reason: 'no openssl on the PATH' }
export const psql = { isMissing: !findProgram('psql'), reason: 'no psql (apt-get install postgresql-client)' }

interface CaddyOptions {
  folder: string
  env: Record<string, string>
  closing: AsyncDisposableStack
}

/**
 * Runs it with certificates of its own, until `closing` is disposed. Only the site's port is its own to choose. Its log is
 * `caddy.log` in the folder.
 */
export async function runCaddy(file: string, { folder, env, closing }: CaddyOptions): Promise<void> {
  const site = await readFile(file, 'utf8')
  const options = `\tadmin off\n\thttp_port ${await freePort()}\n\tskip_install_trust\n`
  await writeFile(file, site.replace(/^\{\n/m, `$&${options}`))
  const log = openSync(join(folder, 'caddy.log'), 'a')
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { ...env, PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: join(folder, 'caddy') },
    stdio: ['ignore', log, log],
  })
  closing.defer(() => endProcess(killOnExit(child)))
}
