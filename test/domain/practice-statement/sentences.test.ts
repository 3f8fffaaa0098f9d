import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { buildStatement } from '#domain/practice-statement/build-statement.ts'
import { readConfig } from '#server/configuration/config.ts'
import { readRules } from '#server/configuration/rules.ts'

interface Row {
  /** Section and fact. */
  fact: string
  sentence: string
  /** The file and the title of a test, or who else the sentence is about. */
  proof: string
}

/** The sentences of a service with everything, and of one without; not those of the operator, and no versions. */
function sentences(): Row[] {
  const facts = [true, false].flatMap(hasProvider => {
    const rules = readRules(readConfig({}), { memberIssuer: '', hasProvider })
    const baseUrl = hasProvider ? 'https://age.example' : 'http://127.0.0.1'
    const testTenants = hasProvider ? 'allowed' : 'off'
    const { sections } = buildStatement({ ...rules, baseUrl, testTenants })
    return Object.entries(sections).flatMap(([section, { facts }]) =>
      Object.entries(facts).map(([name, { text }]) => ({
        fact: `${section}.${name}`,
        text: text?.replaceAll(baseUrl, 'BASE_URL') ?? '',
      })),
    )
  })
  const all = facts.flatMap(({ fact, text }) =>
    text.split(/(?<=\.) (?=[A-Z“])/).map(sentence => ({ fact, sentence, proof: '' })),
  )
  return all.filter(({ sentence }) => sentence.endsWith('.'))
}

const table = readFileSync('test/domain/practice-statement/sentences.md', 'utf8')
const rows = [...table.matchAll(/^\| (\w+\.\w+) \| (.+?) \| (.+) \|$/gm)].map(
  ([, fact, sentence, proof]): Row => ({ fact: fact!, sentence: sentence!, proof: proof! }),
)

describe('The sentences of the practice statement', () => {
  it('each have a row in sentences.md, and no other does', () => {
    const allOf = (some: Row[]) => [...new Set(some.map(({ fact, sentence }) => `${fact}: ${sentence}`))]
    const [listed, said] = [allOf(rows), allOf(sentences())]
    expect(
      said.filter(each => !listed.includes(each)),
      'said, and not listed',
    ).to.deep.equal([])
    expect(
      listed.filter(each => !said.includes(each)),
      'listed, and not said',
    ).to.deep.equal([])
  })

  it('are each proved by a test that exists and expects something, or say what somebody else does', () => {
    const wrong = rows.filter(({ proof }) => {
      if (/^of (the (person|provider|relying party|operator)|nothing that is done)$/.test(proof)) return false
      const [, file, title] = /^(\S+\.test\.ts): (.+)$/.exec(proof) ?? []
      if (!file || !title) return true
      const source = readFileSync(`test/${file}`, 'utf8')
      const at = ["'", '"', '`']
        .map(quote => source.indexOf(`it(${quote}${title}${quote}`))
        .find(index => index >= 0)
      return at === undefined || !/\bexpect/.test(source.slice(at).split(/\n\s*it\(/)[0]!)
    })
    expect(wrong.map(({ fact, proof }) => `${fact}: ${proof}`)).to.deep.equal([])
  })
})
