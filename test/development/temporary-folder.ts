import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder that is deleted after the enclosing `describe`. */
export function temporaryFolder(): { path: string } {
  const folder = { path: '' }
  before(async () => {
    folder.path = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')))
  })
  after(async () => {
    await rm(folder.path, { recursive: true, force: true })
  })
  return folder
}
