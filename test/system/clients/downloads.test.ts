import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { describeWith, findPython, runProgram } from '../../harness/system-program.ts'

const [tarball = ''] = globSync('clients/released/*.tgz')
const [wheel = ''] = globSync('clients/released/*.whl')
const python = findPython('httpx', 'pip')

const rows = [
  ...readFileSync('docs/downloads.md', 'utf8').matchAll(/^\| (\w+) \| `(.+\.tgz)` \| `(.+)` \|$/gm),
]
const program = `import { signTestEvent, verifyWebhook } from '@age-verification/client'
const { body, headers } = await signTestEvent('whsec_test')
console.log((await verifyWebhook(body, headers, 'whsec_test')).event)`
const manifest = { type: 'module', scripts: { check: 'node check.js' } }

describe('A client in the repository of a tenant', () => {
  const folder = temporaryFolder()
  const inFolder = (path: string) => join(folder.path, path)

  before('install the package managers beside npm', async () => {
    const managers = ['pnpm@12.21.0', '@yarnpkg/cli-dist@4.18.1', 'bun@1.4.5']
    expect(rows).to.have.length(managers.length + 1)
    const options = ['--no-audit', '--no-fund', '--prefix', inFolder('managers')]
    await runProgram('npm', ['install', ...options, ...managers])
  })

  for (const [, name = '', install, again] of rows) {
    it(`is installed by ${name} as the documents say, and again by the lock file alone, without a service or a registry`, async () => {
      const cwd = inFolder(name)
      await cp(tarball, join(cwd, basename(tarball)))
      await writeFile(join(cwd, 'check.js'), program)
      await writeFile(join(cwd, 'package.json'), JSON.stringify(manifest))
      const PATH = `${inFolder('managers/node_modules/.bin')}:${process.env.PATH}`
      const proxy = 'http://127.0.0.1:9'
      const offline = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, npm_config_offline: 'true' }
      const env = { PATH, HOME: inFolder('home'), ...offline }
      const commands = [install, 'rm -rf node_modules .pnp.cjs', again, `${name.toLowerCase()} run check`]
      const { stdout } = await runProgram('sh', ['-c', commands.join(' && ')], { cwd, env })
      expect(stdout).to.match(/\nverification\.completed\n/)
    })
  }

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
