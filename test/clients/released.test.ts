import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { findChanged } from '#development/clients/release-clients.ts'
import { readPackument, readProjectDetail, releasedFolder } from '#server/pages/packages/released.ts'
import { temporaryFolder } from '../development/temporary-folder.ts'
import type { Packed } from '../harness/run/packed-clients.ts'
import { sharedResource } from '../harness/run/shared-resources.ts'

describe('Released clients', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  let packed: Packed
  before(async () => {
    packed = await sharedResource<Packed>('clients')
  })

  it('are what their sources make, unless these have a version of their own (npm run release-clients)', async () => {
    expect(await findChanged(packed, packed.folder)).to.deep.equal([])
  })

  it('refuse other sources under a released version, and name the remedy', async () => {
    const { typescript, python } = packed
    for (const file of [typescript.file, ...python.files]) {
      const bytes = await readFile(join(packed.folder, file))
      const other = (content: Buffer) => Buffer.concat([content, Buffer.from('other')])
      await writeFile(
        join(folder.path, file),
        file.endsWith('gz') ? gzipSync(other(gunzipSync(bytes))) : other(bytes),
      )
    }
    const [first, ...others] = await findChanged(packed, folder.path)
    expect(first).to.equal(
      `${typescript.file} is released with other contents. Raise the version in clients/typescript/package.json and src/version.ts; \`npm run release-clients\` releases it.`,
    )
    expect(others.map(sentence => sentence.split(' ')[0])).to.deep.equal(python.files)
  })

  it('may be behind sources that have the version of the next release', async () => {
    const { typescript, python } = packed
    const next = {
      typescript: { ...typescript, file: 'age-verification-client-999.0.0.tgz' },
      python: { ...python, files: [] },
    }
    expect(await findChanged(next, folder.path)).to.deep.equal([])
  })

  it('have the checksums that package managers are told, each of them, for ever', async () => {
    const digest = async (file: string, algorithm: string, encoding: 'hex' | 'base64') =>
      createHash(algorithm)
        .update(await readFile(join(releasedFolder, file)))
        .digest(encoding)
    const listed: string[] = []
    const packument = readPackument()
    for (const [version, manifest] of Object.entries(packument.versions)) {
      const { tarball, integrity, shasum } = manifest.dist as Record<string, string>
      listed.push(tarball!)
      expect(manifest.version).to.equal(version)
      expect(packument.time[version], version).to.match(/^\d{4}-\d\d-\d\dT/)
      expect(integrity, tarball!).to.equal(`sha512-${await digest(tarball!, 'sha512', 'base64')}`)
      expect(shasum, tarball!).to.equal(await digest(tarball!, 'sha1', 'hex'))
    }
    for (const { filename, hashes } of readProjectDetail().files) {
      listed.push(filename)
      expect(hashes.sha256, filename).to.equal(await digest(filename, 'sha256', 'hex'))
    }
    const files = await readdir(releasedFolder)
    expect(files.filter(name => !name.endsWith('.json'))).to.have.members(listed)
  })

  it('begin with the client of the first release, as it was', async () => {
    const bytes = await readFile(join(releasedFolder, 'age-verification-client-1.0.0.tgz'))
    expect(createHash('sha256').update(bytes).digest('hex')).to.match(/^5477dc51/)
  })
})
