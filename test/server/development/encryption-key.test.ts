import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { encryptionKey } from '#server/development/encryption-key.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('encryption key of the embedded start', () => {
  const folder = temporaryFolder()

  it('is made once, even by several processes at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => encryptionKey(folder.path)))
    expect(new Set(keys).size).to.equal(1)
    expect(Buffer.from(keys[0]!, 'base64')).to.have.length(32)
    expect(await encryptionKey(folder.path)).to.equal(keys[0])
  })

  it('is readable to its owner only, and leaves no drafts', async () => {
    await encryptionKey(folder.path)
    expect((await stat(join(folder.path, 'encryption-key'))).mode & 0o777).to.equal(0o600)
    expect(await readdir(folder.path)).to.deep.equal(['encryption-key'])
  })
})
