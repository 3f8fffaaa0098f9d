import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { describeWith, runProgram } from '../../harness/system-program.ts'
import { useOpened } from '../../harness/use-opened.ts'
import { serveDocs } from '../../server/pages/docs/serve-docs.ts'
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
})
