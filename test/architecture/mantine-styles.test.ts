import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'

const mantine = 'node_modules/@mantine/core'
const stylesheet = 'dashboard/src/theme/mantine.css'

/** The names that the dashboard imports from Mantine. */
function importedNames(): string[] {
  const sources = globSync('dashboard/src/**/*.{ts,tsx}').map(file => readFileSync(file, 'utf8'))
  const imports = sources.flatMap(source => [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
  const names = imports.flatMap(([, list]) => list!.split(','))
  return names.map(name => name.trim().split(' ')[0]!).filter(name => /^[A-Z]/.test(name))
}

/** Where Mantine exports each name from, relative to its index. */
function exportingFiles(): Map<string, string> {
  const index = readFileSync(join(mantine, 'esm/index.mjs'), 'utf8')
  const imports = [...index.matchAll(/import \{([^}]*)\} from "([^"]+)"/g)]
  return new Map(imports.flatMap(([, names, file]) => names!.split(',').map(name => [name.trim(), file!])))
}

/** A file and all that it imports of Mantine's. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g)) {
    withImports(join(dirname(file), path!), found)
  }
  return found
}

describe("Mantine's styles", () => {
  it('are those of the components in use, and of what these are made of', () => {
    const files = exportingFiles()
    // Of the notifications, which another package draws with it.
    const used = [...importedNames(), 'Notification']
      .map(name => files.get(name))
      .filter(file => file !== undefined)
    expect(used).to.not.have.length(0)
    const modules = new Set(used.flatMap(file => [...withImports(join(mantine, 'esm', file))]))
    const names = [...modules].flatMap(file => file.replace('.mjs', '').split('/').slice(-2))
    const needed = [...new Set(names)].filter(name => existsSync(join(mantine, `styles/${name}.layer.css`)))
    const imported = [...readFileSync(stylesheet, 'utf8').matchAll(/core\/styles\/([A-Z]\w+)\.layer\.css/g)]
    expect(imported.map(([, name]) => name)).to.have.members(needed)
  })
})
