import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type Call, type LanguageName, languages } from '../../dashboard/src/first-steps/samples/languages.ts'
import { describeWith, findProgram } from '../harness/system-program.ts'
import { control } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'

/** What runs the samples of a language, given the file. */
const programs: Record<LanguageName, { program: string | undefined; args: string[] }> = {
  curl: { program: findProgram('curl') && findProgram('sh'), args: [] },
  node: { program: process.execPath, args: [] },
  python: { program: findProgram('python3'), args: [] },
  php: { program: findPhp(), args: [] },
  go: { program: findProgram('go'), args: ['run'] },
}

describe("The samples of the dashboard's first steps", () => {
  const service = useService()
  const tenant = useTenant(service)
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'first-steps-'))
    const client = join(folder, 'node_modules', '@age-verification', 'client')
    await mkdir(client, { recursive: true })
    await symlink(resolve('clients', 'typescript', 'src'), join(client, 'src'))
    await writeFile(join(client, 'package.json'), '{ "type": "module", "exports": "./src/index.ts" }')
  })
  after(() => rm(folder, { recursive: true }))

  for (const [name, { program, args }] of Object.entries(programs)) {
    const { label, samples, program: source } = languages[name as LanguageName]
    describeWith(
      [
        {
          isMissing: !program,
          reason: `no program for ${label} on the PATH${label === 'PHP' ? ', with its curl extension' : ''}`,
        },
      ],
      label,
      () => {
        it('start a verification, read its result and validate its token', async () => {
          const started = await run('start')
          const [verificationId = ''] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(started) ?? []
          expect(started).to.contain(`${service.veriffUrl}/v/`)
          await control(service, verificationId, 'open')
          await control(service, verificationId, 'submit')
          await control(service, verificationId, 'decide', { outcome: 'approve-adult' })
          const result = await run('status', { VERIFICATION_ID: verificationId })
          expect(result).to.contain('approved').and.match(/true/i)
          const [token = ''] = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(result) ?? []
          expect(await run('validate', { TOKEN: token }))
            .to.match(/true/i)
            .and.contain('OK')
          expect(await run('validate', { TOKEN: 'unknown' }))
            .to.match(/false/i)
            .and.contain('TOKEN_NOT_FOUND')
        }).timeout(60_000)

        async function run(call: Call, input: Record<string, string> = {}): Promise<string> {
          const file = join(folder, `${call}.${source?.extension ?? 'sh'}`)
          await writeFile(file, samples(service.baseUrl)[call])
          const { PATH = '', HOME = '' } = process.env
          const env = { PATH, HOME, API_KEY: tenant.apiKey, ...input }
          const { stdout } = await promisify(execFile)(program!, [...args, file], { cwd: folder, env })
          return stdout
        }
      },
    )
  }
})

/** With the extension that the sample uses. */
function findPhp(): string | undefined {
  const php = findProgram('php')
  return php && spawnSync(php, ['-r', 'curl_version();']).status === 0 ? php : undefined
}
