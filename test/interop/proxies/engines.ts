import { spawn } from 'node:child_process'
import { globSync, openSync, readFileSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runHaproxy } from '../../harness/engines/haproxy.ts'
import { endProcess, killOnExit } from '../../harness/processes/process-tree.ts'
import { findProgram, type Requirement } from '../../harness/system-program.ts'
import { runCaddy } from '../deploy/programs.ts'

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
  /** Whether it asks the instances for their health, and routes by what they are ready for. */
  hasActiveChecks: boolean
  /** Whether it bounds the connections of one address. */
  boundsAddresses: boolean
  /** An instance that hangs. */
  hanging: {
    /** Requests to it that are not repeated. */
    lost: string[]
    /** When no more are sent to it. */
    noticedSeconds: number
    /** How many are sent to it after that, within half a minute, to try it. */
    tries: number
  }
}

export const engines: Engine[] = [
  {
    name: 'HAProxy',
    requirement: debian('haproxy', 'haproxy'),
    start: startHaproxy,
    hasActiveChecks: true,
    boundsAddresses: true,
    hanging: { lost: [], noticedSeconds: 8, tries: 0 },
  },
  {
    name: 'nginx',
    requirement: debian('nginx', 'nginx'),
    start: startNginx,
    hasActiveChecks: false,
    boundsAddresses: true,
    hanging: { lost: [], noticedSeconds: 20, tries: 10 },
  },
  {
    name: 'Apache',
    requirement: debian('apache2', 'apache2'),
    start: startApache,
    hasActiveChecks: true,
    boundsAddresses: false,
    hanging: { lost: ['status', 'wait'], noticedSeconds: 12, tries: 0 },
  },
  {
    name: 'Caddy',
    requirement: debian('caddy', 'caddy'),
    start: startCaddy,
    hasActiveChecks: true,
    boundsAddresses: false,
    hanging: { lost: ['start', 'validate', 'callback'], noticedSeconds: 8, tries: 0 },
  },
]

function debian(program: string, name: string): Requirement {
  return { isMissing: !findProgram(program), reason: `no ${program} (apt-get install ${name})` }
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

async function startApache(site: Site): Promise<() => string> {
  const { folder, port } = site
  const text = await adaptFile('apache.conf', site)
  const [, modules = ''] = /^# a2enmod (.*)$/m.exec(text)!
  await writeFile(
    join(folder, 'age-verification.conf'),
    text.replaceAll('/etc/apache2/age-verification', folder).replace('*:443', `*:${port}`),
  )
  await copyFile('deploy/proxies/unavailable.asis', join(folder, 'unavailable.asis'))
  // As Debian's does.
  const main = `DefaultRuntimeDir ${folder}
    PidFile ${folder}/apache.pid
    ErrorLog ${folder}/error.log
    ${isRoot ? 'User www-data\nGroup www-data' : ''}
    ServerName localhost
    ${enabledModules(modules.split(' '))}
    <Directory />
      Require all denied
    </Directory>
    Listen 127.0.0.1:${port}
    Include ${folder}/age-verification.conf`
  await writeFile(join(folder, 'apache.conf'), main.replaceAll(/^ +/gm, ''))
  const env = { APACHE_LOG_DIR: folder, APACHE_RUN_DIR: folder }
  return run('apache2', ['-D', 'FOREGROUND', '-f', join(folder, 'apache.conf')], site, env)
}

const available = '/etc/apache2/mods-available'
/** Of those that Debian enables. */
const initial = [
  'mpm_event',
  'authz_core',
  'alias',
  'deflate',
  'dir',
  'env',
  'filter',
  'mime',
  'reqtimeout',
  'setenvif',
]

/** Includes modules, their dependencies and their settings, as a2enmod does. */
function enabledModules(names: string[]): string {
  const enabled = new Set<string>()
  const enable = (name: string) => {
    if (enabled.has(name)) return
    const [, dependencies = ''] =
      /^# Depends: (.*)$/m.exec(readFileSync(`${available}/${name}.load`, 'utf8')) ?? []
    for (const dependency of dependencies.split(' ').filter(Boolean)) enable(dependency)
    enabled.add(name)
  }
  for (const name of [...initial, ...names]) enable(name)
  return [...enabled]
    .map(name => `Include ${available}/${name}.load\nIncludeOptional ${available}/${name}.con[f]`)
    .join('\n')
}

async function startCaddy(site: Site): Promise<() => string> {
  const { folder, port, closing } = site
  const file = join(folder, 'Caddyfile')
  const text = await adaptFile('caddy.conf', site)
  await writeFile(file, text.replace(/^verify\.example/m, `localhost:${port}`))
  await runCaddy(file, { folder, env: {}, closing })
  return () => readLogs(folder)
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

function run(
  program: string,
  args: string[],
  { folder, closing }: Site,
  env: Record<string, string> = {},
): () => string {
  const output = openSync(join(folder, 'output.log'), 'a')
  const child = spawn(findProgram(program)!, args, {
    env: { PATH: process.env.PATH, ...env },
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
