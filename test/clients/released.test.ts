import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import type { Packed } from '../harness/run/packed-clients.ts'
import { sharedResource } from '../harness/run/shared-resources.ts'
import { runProgram } from '../harness/system-program.ts'

describe('The clients in clients/released', function () {
  this.timeout(60_000)

  it('are what their sources pack, byte for byte (if not: npm run release-clients)', async () => {
    const packed = Object.values(await sharedResource<Packed>('clients')) as string[]
    expect(readdirSync('clients/released')).to.have.members(packed.map(path => basename(path)))
    for (const path of packed) {
      const released = readFileSync(join('clients/released', basename(path)))
      expect(released.equals(readFileSync(path)), path).to.equal(true)
    }
  })

  it('have the checksums that stand in clients/SHA256SUMS, as those of each earlier release', () => {
    const sums = readFileSync('clients/SHA256SUMS', 'utf8').trimEnd().split('\n')
    for (const name of readdirSync('clients/released')) {
      const digest = createHash('sha256')
        .update(readFileSync(join('clients/released', name)))
        .digest('hex')
      expect(sums.filter(line => line.endsWith(`  ${name}`))).to.deep.equal([`${digest}  ${name}`])
    }
  })

  it('are packed as the same bytes in another folder, with another umask, time zone and language', async () => {
    await using copy = await mkdtempDisposable(join(tmpdir(), 'elsewhere-'))
    for (const name of ['clients', 'development', 'LICENSE', 'package.json', 'tsconfig.json'])
      await cp(name, join(copy.path, name), { recursive: true })
    await symlink(join(process.cwd(), 'node_modules'), join(copy.path, 'node_modules'))
    await writeFile(join(copy.path, 'clients/SHA256SUMS'), 'abc  age-verification-client-0.9.0.tgz\n')
    const pack = `umask 077 && '${process.execPath}' development/clients/pack-clients.ts`
    await runProgram('sh', ['-c', pack], {
      cwd: copy.path,
      env: { ...process.env, TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8' },
    })
    const sums = readFileSync(join(copy.path, 'clients/SHA256SUMS'), 'utf8')
    expect(sums).to.equal(
      `abc  age-verification-client-0.9.0.tgz\n${readFileSync('clients/SHA256SUMS', 'utf8')}`,
    )
  })
})
