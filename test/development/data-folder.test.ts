import { mkdtemp, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDataFolder } from '#development/data-folder.ts'
import { StartError } from '#server/configuration/start-error.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('the data folder', () => {
  const folder = temporaryFolder()

  it('is accessible only to its owner, and its parent folder keeps the default mode', async () => {
    const data = await openDataFolder(join(folder.path, 'new', 'data'))
    const [own, parent] = await Promise.all([stat(data.path), stat(join(folder.path, 'new'))])
    await data.release()
    expect((own.mode & 0o777).toString(8)).to.equal('700')
    expect((parent.mode & 0o777).toString(8)).to.equal((0o777 & ~process.umask()).toString(8))
  })

  it('is locked by one process at a time, and the error names that process', async () => {
    const first = await openDataFolder(folder.path)
    const error = await openDataFolder(folder.path).catch(caught => caught)
    expect(error).to.be.instanceOf(StartError)
    expect(error.message).to.equal(
      `The data folder ${folder.path} is in use by the process ${process.pid}. Stop it, or set DATA_DIR to another folder.`,
    )
    await first.release()
    await (await openDataFolder(folder.path)).release()
  })

  it('is named in a one-line error if it cannot be created', async () => {
    const path = join(await mkdtemp(join(folder.path, 'x-')), '\0')
    const error = await openDataFolder(path).catch(caught => caught)
    expect(error).to.be.instanceOf(StartError)
    expect(error.message).to.match(/^DATA_DIR: the folder .+ cannot be created: .+$/)
  })
})
