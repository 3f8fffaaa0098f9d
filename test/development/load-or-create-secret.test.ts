import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { loadOrCreateEncryptionKey } from '#development/load-or-create-secret.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('the embedded encryption key', () => {
  const folder = temporaryFolder()

  it('is created once, even if several processes create it concurrently', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateEncryptionKey(folder.path)))
    expect(new Set(keys).size).to.equal(1)
    expect(Buffer.from(keys[0]!, 'base64')).to.have.length(32)
    expect(await loadOrCreateEncryptionKey(folder.path)).to.equal(keys[0])
  })

  it('is readable only by its owner, and leaves no draft files', async () => {
    await loadOrCreateEncryptionKey(folder.path)
    expect((await stat(join(folder.path, 'encryption-key'))).mode & 0o777).to.equal(0o600)
    expect(await readdir(folder.path)).to.deep.equal(['encryption-key'])
  })
})
