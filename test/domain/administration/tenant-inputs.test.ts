import { globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { OperatorScope, Scope, TenantScope, UserScope } from '#domain/scope.ts'

interface Verb {
  name: string
  /** The parameters after the scope, with the fields of the interfaces they refer to. */
  input: string
}

const queries = globSync('operator/queries/*.ts')
const sources = new Map(
  [...globSync('domain/**/*.ts'), ...queries].map(file => [file, readFileSync(file, 'utf8')]),
)

describe('the tenant of a verb', () => {
  it('is never part of the input of a verb that a transport or the operator calls', () => {
    const verbs = importedFiles().flatMap(verbsIn)
    expect(verbs.length).to.be.greaterThan(30)
    const scopes = ['forTenant', 'asMember']
    const named = verbs.filter(({ name, input }) => !scopes.includes(name) && /\btenantIds?\b/.test(input))
    expect(named.map(({ name }) => name)).to.deep.equal([])
  })

  it('is required by the type of the scope', () => {
    // These lines compile only while a scope without a tenant cannot be passed as a TenantScope.
    const operator: OperatorScope extends TenantScope ? never : 'rejected' = 'rejected'
    const user: UserScope extends TenantScope ? never : 'rejected' = 'rejected'
    const anyone: Scope extends TenantScope ? never : 'rejected' = 'rejected'
    expect([operator, user, anyone]).to.deep.equal(['rejected', 'rejected', 'rejected'])
  })
})

/** The operator's queries, and the files of the domain that transports and the operator's commands import. */
function importedFiles(): string[] {
  const callers = globSync('{rest,console-api,operator}/**/*.ts')
  const imported = callers.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/'#(domain\/[^']+)'/g)].map(([, path]) => path!),
  )
  return [...queries, ...new Set(imported)]
}

/** The exported functions of a file whose first parameter is a scope. */
function verbsIn(file: string): Verb[] {
  const source = sources.get(file) ?? ''
  return [...source.matchAll(/^export (?:async )?function (\w+)[^(]*\(/gm)].flatMap(match => {
    const parameters = upToClosing(source, match.index + match[0].length)
    const scoped = /^\s*(?:\w+|\{[^}]*\}): \w*Scope\b,?(.*)$/s.exec(parameters)
    return scoped ? [{ name: match[1]!, input: withInterfaces(scoped[1]!) }] : []
  })
}

function upToClosing(source: string, start: number): string {
  let depth = 1
  let end = start
  while (depth > 0 && end < source.length) {
    if (source[end] === '(') depth++
    if (source[end] === ')') depth--
    end++
  }
  return source.slice(start, end - 1)
}

function withInterfaces(parameters: string): string {
  const names = [...parameters.matchAll(/\b[A-Z]\w+/g)].map(([name]) => name)
  const bodies = names.flatMap(name =>
    [...sources.values()].map(
      source => new RegExp(`^export interface ${name}\\b[^{]*\\{(.*?)^\\}`, 'ms').exec(source)?.[1] ?? '',
    ),
  )
  return [parameters, ...bodies].join('\n')
}
