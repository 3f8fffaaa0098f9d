import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { buildStatement } from '#domain/practice-statement/build-statement.ts'
import { readConfig } from '#server/configuration/config.ts'
import { readRules } from '#server/configuration/rules.ts'

/** `section.fact: sentence` of a service with everything, and of one without; not what the operator states, and no versions. */
function sentences(): string[] {
  const found = [true, false].flatMap(hasProvider => {
    const rules = readRules(readConfig({}), { memberIssuer: '', hasProvider })
    const baseUrl = hasProvider ? 'https://age.example' : 'http://127.0.0.1'
    const testTenants = hasProvider ? 'allowed' : 'off'
    const { sections } = buildStatement({ ...rules, baseUrl, testTenants })
    return Object.entries(sections).flatMap(([section, { facts }]) =>
      Object.entries(facts).flatMap(([name, { text }]) => {
        const parts = (text ?? '').replaceAll(baseUrl, 'BASE_URL').split(/(?<=\.) (?=[A-Z“])/)
        return parts.filter(part => part.endsWith('.')).map(part => `${section}.${name}: ${part}`)
      }),
    )
  })
  return [...new Set(found)].sort()
}

const table = readFileSync('test/domain/practice-statement/sentences.md', 'utf8')
const rows = [...table.matchAll(/^\| (\w+\.\w+) \| (.+?) \| (.+) \|$/gm)]
const listed = rows.map(([, fact, sentence]) => `${fact}: ${sentence}`)

describe('The sentences of the practice statement', () => {
  it('each have a row in sentences.md, and no other does', () => {
    expect([...new Set(listed)].sort()).to.deep.equal(sentences())
  })

  it('are each proved by a test that exists and expects something, or say what somebody else does', () => {
    const unproved = rows
      .map(([, , , proof]) => proof!)
      .filter(proof => {
        if (/^of (the (person|provider|relying party|operator)|nothing that is done)$/.test(proof))
          return false
        const [, file = '', title = ''] = /^(\S+\.test\.ts): (.+)$/.exec(proof) ?? []
        const [before = '', after = ''] = file && readFileSync(`test/${file}`, 'utf8').split(title, 2)
        const isTitle = /\bit\(['"`]$/.test(before) && /^['"`],/.test(after)
        return !isTitle || !/\bexpect/.test(after.split(/\n\s*it\(/)[0]!)
      })
    expect(unproved).to.deep.equal([])
  })
})
