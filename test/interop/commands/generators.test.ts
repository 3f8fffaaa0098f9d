import { cp, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from '#test/harness/processes/service-process.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { runProgram } from '../../harness/system-program.ts'

/** The commands that write checked-in files, and what each writes. */
const generators: Record<string, string[]> = {
  openapi: ['openapi.json'],
  'sdk-types': ['clients/typescript/src/generated/openapi.ts'],
  migration: ['domain/schema/schema.sql', 'domain/schema/migration-list.ts'],
}

/** Folders of the project that no generator reads. */
const ignored = /^(\.git|\.data|node_modules|dashboard|docs)(\/|$)/

describe('A command that writes checked-in files', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  before(async () => {
    const isCopied = (path: string) => !ignored.test(path.slice(root.length + 1))
    await cp(root, folder.path, { recursive: true, filter: isCopied })
    await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'))
  })

  for (const [command, files] of Object.entries(generators)) {
    it(`npm run ${command} writes them as they are`, async () => {
      await runProgram('npm', ['run', '-s', command], { cwd: folder.path })
      for (const file of files) {
        const [written, checkedIn] = await Promise.all(
          [folder.path, root].map(at => readFile(join(at, file), 'utf8')),
        )
        expect(written === checkedIn, file).to.equal(true)
      }
    })
  }
})
