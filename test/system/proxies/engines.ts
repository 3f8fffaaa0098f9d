import { spawn } from 'node:child_process'
import { globSync, openSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runHaproxy } from '../../harness/engines/haproxy.ts'
import { endProcess, killOnExit } from '../../harness/processes/process-tree.ts'
import { findProgram, type Requirement } from '../../harness/system-program.ts'

/** Where a proxy runs, and what it leads to. */
export interface Site {
  /** Of this proxy alone. */
  folder: string
  port: number
  /** The ports of the two instances. */
  instances: readonly [number, number]
  /** PEM files: one with the key and the certificate, and one with each. */
  certificate: { both: string; key: string; chain: string }
  closing: AsyncDisposableStack
}

export interface Engine {
  name: string
  requirement: Requirement
  /** Runs its file of `deploy/proxies`. Returns what reads all that it has logged. */
  start(site: Site): Promise<() => string>
}

export const engines: Engine[] = [
  {
    name: 'HAProxy',
    requirement: debian('haproxy'),
    start: startHaproxy,
  },
  {
    name: 'nginx',
    requirement: debian('nginx'),
    start: startNginx,
  },
]

function debian(program: string): Requirement {
  return { isMissing: !findProgram(program), reason: `no ${program} (apt-get install ${program})` }
}

async function startHaproxy(site: Site): Promise<() => string> {
  const text = await adaptFile('haproxy.cfg', site)
  return await runHaproxy(
    text
      .replace('*:443', `127.0.0.1:${site.port}`)
      .replace('/etc/haproxy/certificate.pem', site.certificate.both),
    site.closing,
  )
}

async function startNginx(site: Site): Promise<() => string> {
  const { folder, port } = site
  const text = await adaptFile('nginx.conf', site)
  const own = text
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/^ +listen \[::\]:443.*\n/m, '')
    .replace('/var/log/nginx', folder)
  await writeFile(join(folder, 'age-verification.conf'), own)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  )
  // As Debian's does.
  const main = `${isRoot ? 'user root;' : ''} worker_processes auto; pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events { worker_connections 4096; }
    http {
      ${temporary.join(' ')}
      default_type application/octet-stream; gzip on;
      ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3; ssl_prefer_server_ciphers on;
      access_log ${folder}/access.log;
      include ${folder}/age-verification.conf;
    }`
  await writeFile(join(folder, 'nginx.conf'), main)
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']
  return run('nginx', args, site)
}

const isRoot = process.getuid?.() === 0

/** A file of `deploy/proxies`, with these instances and this certificate. */
async function adaptFile(name: string, { instances, certificate }: Site): Promise<string> {
  const text = await readFile(`deploy/proxies/${name}`, 'utf8')
  return text
    .replaceAll(/10\.0\.0\.([12]):3000/g, (_, at) => `127.0.0.1:${instances[at - 1]}`)
    .replaceAll(/\/etc\/letsencrypt\/live\/verify.example\/(\w+)\.pem/g, (_, name) =>
      name === 'privkey' ? certificate.key : certificate.chain,
    )
}

function run(program: string, args: string[], { folder, closing }: Site): () => string {
  const output = openSync(join(folder, 'output.log'), 'a')
  const child = spawn(findProgram(program)!, args, {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', output, output],
  })
  killOnExit(child)
  // Its worker processes end with it.
  closing.defer(() => endProcess(child, 'SIGTERM'))
  return () => readLogs(folder)
}

function readLogs(folder: string): string {
  return globSync(`${folder}/*.log`)
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
}
