import { globSync } from 'node:fs'
import { cp, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { runProgram } from '../../harness/system-program.ts'

const [tarball = ''] = globSync('clients/released/*.tgz')

describe('A client in the repository of a tenant', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  const inFolder = (path: string) => join(folder.path, path)

  it('is installed by npm, and again by the lock file alone, without a service or a registry', async () => {
    await cp(tarball, inFolder(basename(tarball)))
    await writeFile(inFolder('package.json'), '{ "type": "module" }')
    const npm = (...args: string[]) =>
      runProgram('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder.path })
    await npm('install', `./${basename(tarball)}`)
    await rm(inFolder('node_modules'), { recursive: true })
    await npm('ci')
    const program = `import { signTestEvent, verifyWebhook } from '@age-verification/client'
      const { body, headers } = await signTestEvent('whsec_test')
      console.log((await verifyWebhook(body, headers, 'whsec_test')).event)`
    const { stdout } = await runProgram(process.execPath, ['--eval', program], { cwd: folder.path })
    expect(stdout).to.equal('verification.completed\n')
  })
})
