import { spawn } from 'node:child_process'
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

/** Runs it with certificates of its own, until `closing` is disposed. Only the site's port is its own to choose. */
export async function runCaddy(file: string, { folder, env, closing }: CaddyOptions): Promise<void> {
  const site = await readFile(file, 'utf8')
  const options = `{\n\tadmin off\n\thttp_port ${await freePort()}\n\tskip_install_trust\n}\n`
  await writeFile(file, site.replace(/^\{\$/m, `${options}\n$&`))
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { ...env, PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: join(folder, 'caddy') },
    stdio: 'ignore',
  })
  closing.defer(() => endProcess(killOnExit(child)))
}
