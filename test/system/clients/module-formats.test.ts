import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { compile } from '../compile.ts'
import { installPackedClient } from './packed-client.ts'

const name = '@age-verification/client'
const quoted = (text: string) => JSON.stringify(text)

/** What users write, in whatever module format their compiler makes of it. */
const program = `import {
  AgeVerificationClient, AgeVerificationError, signTestEvent, verifyWebhook, type Fetch,
} from ${quoted(name)}
import { TokenVerifier } from ${quoted(`${name}/offline`)}

export const client = new AgeVerificationClient({ baseUrl: 'https://verify.example', apiKey: 'avk_none', retries: 0 })
export const offline = new TokenVerifier({ issuer: 'https://verify.example' })
export const ownFetch: Fetch = (url, init) => fetch(url, init)
export async function admit(id: string): Promise<boolean> {
  const { over18, lastResponse } = await client.waitForCompletion(id, { onStatus: ({ status }) => status })
  return over18 === true && lastResponse.status === 200
}
export async function receive(): Promise<string> {
  const { body, headers } = await signTestEvent('whsec_test', { status: 'denied' })
  return (await verifyWebhook(body, headers, 'whsec_test')).data.status
}
export const isQuota = (error: unknown) => error instanceof AgeVerificationError && error.is('QUOTA_EXCEEDED')
`

describe('The packed TypeScript client in an empty project', () => {
  const folder = temporaryFolder()
  const inProject = (...path: string[]) => join(folder.path, ...path)
  before('pack and install the client', async () => {
    for (const name of ['jose', 'undici', '@types/node'])
      await linkPackage(name, resolve('node_modules', name))
    await installPackedClient(folder.path)
  })

  async function linkPackage(name: string, target: string): Promise<void> {
    const link = inProject('node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(target, link)
  }

  /** The compiler's errors. Without `skipLibCheck`, so that the declarations of the client are checked, too. */
  async function compileAs(tsc: string, type: 'module' | 'commonjs', options: object, code = program) {
    await writeFile(inProject('package.json'), JSON.stringify({ type }))
    await writeFile(inProject('program.ts'), code)
    const strict = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: 'es2022' }
    return await compile(folder.path, { ...strict, ...options }, ['program.ts'], tsc)
  }

  const dom = { types: [], lib: ['es2022', 'dom', 'dom.iterable'] }
  const node = { types: ['node'], skipLibCheck: true }
  const resolutions = [
    { name: 'node16, ES modules', type: 'module', options: { module: 'node16' } },
    { name: 'node16, CommonJS', type: 'commonjs', options: { module: 'node16' } },
    { name: 'bundler', type: 'module', options: { module: 'esnext', moduleResolution: 'bundler' } },
  ] as const

  for (const { name, type, options } of resolutions) {
    it(`has types for today's TypeScript with the resolution ${name}`, async () => {
      const tsc = resolve('node_modules/.bin/tsc')
      expect(await compileAs(tsc, type, { ...options, ...dom })).to.equal('')
      expect(await compileAs(tsc, type, { ...options, ...node })).to.equal('')
    })
  }

  it("takes undici's fetch for its own", async () => {
    const code = `import { AgeVerificationClient } from ${quoted(name)}
import { fetch } from 'undici'
export const client = new AgeVerificationClient({ baseUrl: 'https://verify.example', apiKey: 'avk_none', fetch })`
    const tsc = resolve('node_modules/.bin/tsc')
    expect(await compileAs(tsc, 'module', { module: 'node16', ...node }, code)).to.equal('')
  })
})
