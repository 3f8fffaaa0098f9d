import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { describeWith, findPython, runProgram } from '../../harness/system-program.ts'

const [tarball = ''] = globSync('clients/released/*.tgz')
const [wheel = ''] = globSync('clients/released/*.whl')
const python = findPython('httpx', 'pip')

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

  describeWith([{ isMissing: !python, reason: 'no python3 with httpx, pip' }], 'in Python', () => {
    it('is installed by pip with its hash alone, without a service or a registry', async () => {
      await cp(wheel, inFolder(basename(wheel)))
      const hash = createHash('sha256')
        .update(await readFile(wheel))
        .digest('hex')
      const env = { PATH: process.env.PATH, PIP_NO_INDEX: '1', PYTHONPATH: inFolder('installed') }
      await writeFile(inFolder('requirements.txt'), `./${basename(wheel)} --hash=sha256:${hash}\n`)
      const options = ['--require-hashes', '--no-deps', '--target', 'installed', '-r', 'requirements.txt']
      await runProgram(python!, ['-m', 'pip', 'install', ...options], { cwd: folder.path, env })
      const program = 'import age_verification; print(age_verification.__file__)'
      const { stdout } = await runProgram(python!, ['-c', program], { cwd: folder.path, env })
      expect(stdout).to.contain(inFolder('installed'))
    })
  })
})
