import { globSync, readFileSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { describeWith, runProgram } from '../../harness/system-program.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { serveDocs } from '../../server/pages/docs/serve-docs.ts'
import { compile } from '../compile.ts'
import { findPython } from './python-program.ts'

const python = findPython('setuptools', 'wheel', 'pip')

describe('A download, in an empty project', function () {
  this.timeout(120_000)
  const docs = useOpened(() => serveDocs('https://age.example'))
  const folder = temporaryFolder()
  const inFolder = (path: string) => join(folder.path, path)
  const urlOf = (end: string) => {
    const file = globSync(`*${end}`, { cwd: 'clients/released' }).toSorted().at(-1)
    return `${docs.address}/docs/downloads/${file}`
  }

  it('is installed by npm from the address of the service, with a checksum in its lock file', async () => {
    await writeFile(inFolder('package.json'), '{ "type": "module" }')
    await runProgram('npm', ['install', '--no-audit', '--no-fund', urlOf('.tgz')], { cwd: folder.path })
    const program = `import { signTestEvent, verifyWebhook } from '@age-verification/client'
      const { body, headers } = await signTestEvent('whsec_test')
      console.log((await verifyWebhook(body, headers, 'whsec_test')).event)`
    const { stdout } = await runProgram(process.execPath, ['--eval', program], { cwd: folder.path })
    expect(stdout).to.equal('verification.completed\n')
    expect(readFileSync(inFolder('package-lock.json'), 'utf8')).to.match(/"integrity": "sha512-/)
  })

  describeWith([{ isMissing: !python, reason: 'install pip, setuptools and wheel' }], 'for Python', () => {
    for (const [kind, end] of [
      ['wheel', '.whl'],
      ['source distribution', '.tar.gz'],
    ] as const) {
      it(`is installed by pip from the address of the service, as a ${kind}`, async () => {
        const name = `python${end}`
        const options = ['--no-deps', '--no-index', '--no-build-isolation', '--target', inFolder(name)]
        await runProgram(python!, ['-m', 'pip', 'install', ...options, urlOf(end)], {
          cwd: folder.path,
          env: { PATH: process.env.PATH, PIP_DISABLE_PIP_VERSION_CHECK: '1' },
        })
        for (const file of ['*.dist-info/METADATA', '*.dist-info/LICENSE', 'age_verification/py.typed'])
          expect(globSync(`${name}/${file}`, { cwd: folder.path }), file).to.have.length(1)
      })
    }
  })

  it('has the types with which a tRPC client of the console compiles, and misuse does not', async () => {
    await cp('clients/console-api.d.ts', inFolder('console-api.d.ts'))
    await mkdir(inFolder('node_modules'), { recursive: true })
    await symlink(resolve('node_modules/@trpc'), inFolder('node_modules/@trpc'))
    const options = {
      strict: true,
      noEmit: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
    }
    const compilerOptions = { ...options, lib: ['esnext', 'dom'] }
    await writeFile(
      inFolder('program.ts'),
      `import { createTRPCClient, httpLink } from '@trpc/client'
      import type { ConsoleRouter } from './console-api'
      const console = createTRPCClient<ConsoleRouter>({ links: [httpLink({ url: 'https://age.example/console' })] })
      export const name: string = (await console.tenant.get.query()).name
      export const key: string = (await console.apiKeys.create.mutate({ name: 'shop' })).apiKey
      // @ts-expect-error: it has no such field
      export const wrong = (await console.tenant.get.query()).secret
      // @ts-expect-error: the name is missing
      await console.apiKeys.create.mutate({})
      `,
    )
    expect(await compile(folder.path, compilerOptions, ['program.ts'])).to.equal('')
  })
})
