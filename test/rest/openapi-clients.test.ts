import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { useService, useTenant } from '../harness/use-service.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const document = join(root, 'openapi.json')

/** Of a tenant's project, without our own types. */
const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: [],
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
}

describe('Types that are generated from openapi.json', () => {
  const service = useService()
  const tenant = useTenant(service)
  let folder: string
  before('generate and compile them', async function () {
    this.timeout(60_000)
    folder = await mkdtemp(join(tmpdir(), 'clients-'))
    await cp(join(import.meta.dirname, '..', 'fixtures', 'generated-clients'), folder, { recursive: true })
    await import('../harness/typescript-5.ts')
    const { default: openapiTypescript, astToString } = await import('openapi-typescript')
    await mkdir(join(folder, 'generated'))
    const types = astToString(await openapiTypescript(pathToFileURL(document)))
    await writeFile(join(folder, 'generated', 'openapi.ts'), types)
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  })
  after(() => rm(folder, { recursive: true }))

  it('compile under strict, with the programs that use them', async () => {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch(error => error)
    expect(stdout).to.equal('')
  }).timeout(60_000)

  it('run against the service', async () => {
    const program = await import(pathToFileURL(join(folder, 'with-types.ts')).href)
    expect(await program.run(service.baseUrl, tenant.apiKey)).to.deep.equal({
      started: 'started',
      status: 'pending',
      admitted: false,
      reason: 'TOKEN_NOT_FOUND',
      problem: 'metadata',
      missing: 'ROUTE_NOT_FOUND',
    })
  })
})
