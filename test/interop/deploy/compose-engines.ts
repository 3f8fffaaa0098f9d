import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from '#development/postgres/start-postgres.ts'
import { createRedisServers } from '../../harness/engines/redis-servers.ts'
import { runProgram } from '../../harness/system-program.ts'
import { adaptPaths, leadTo } from './compose-folder.ts'
import { runCaddy } from './programs.ts'

/** PostgreSQL on an empty volume, with the script for it. */
export async function startDatabase(
  deploy: string,
  folder: string,
  closing: AsyncDisposableStack,
): Promise<void> {
  const options = { folder, port: 0, databaseName: 'unused', durable: false }
  const { url, close } = await startPostgres(options)
  closing.defer(close)
  const { port, password, host } = new URL(url)
  const script = await adaptPaths(deploy, 'compose/init-postgres.sh')
  const env = { PATH: process.env.PATH, PGHOST: '127.0.0.1', PGPORT: port, PGPASSWORD: password }
  await runProgram('/bin/sh', [script], { env })
  await leadTo(deploy, 'postgres', host)
}

export async function startRedis(deploy: string, closing: AsyncDisposableStack): Promise<void> {
  const takesOptions = (text: string) => text.replace('exec redis-server', '$& "$@"')
  const servers = await createRedisServers(await adaptPaths(deploy, 'compose/start-redis.sh', takesOptions))
  closing.defer(servers.close)
  const password = await readFile(join(deploy, 'compose/secrets/redis-password'), 'utf8')
  const { port } = await servers.start([], { name: 'verification', password })
  await leadTo(deploy, 'redis', `127.0.0.1:${port}`)
}

export async function startProxy(
  deploy: string,
  ports: { api: number; proxy: number },
  closing: AsyncDisposableStack,
): Promise<void> {
  const leadToApi = (text: string) => text.replace('api:3000', `127.0.0.1:${ports.api}`)
  const file = await adaptPaths(deploy, 'compose/Caddyfile', leadToApi)
  await runCaddy(file, { folder: deploy, env: { VERIFY_HOST: `localhost:${ports.proxy}` }, closing })
}
