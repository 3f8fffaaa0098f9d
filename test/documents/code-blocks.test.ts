import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect } from 'chai'
import { readDocument } from '#server/pages/docs/documents.ts'
import { codeBlocks } from './samples.ts'

/** Commands, output, requests and data. */
const shownOnly = ['sh', 'console', 'http', 'json', 'markdown', 'text']

const documents = [
  '{README,CONTRIBUTING,OPERATIONS,GROWING,SECURITY,DATA}.md',
  '{docs,clients/*,deploy/*}/*.md',
]

describe('The code blocks', () => {
  for (const document of globSync(documents)) {
    it(`of ${document} are files that tests run, or commands`, () => {
      for (const { language, name, code } of codeBlocks(document)) {
        const isFile = name.includes('.')
        if (!isFile && shownOnly.includes(language)) continue
        expect(isFile, `name the file of this ${language}:\n${code}`).to.equal(true)
        expect(code, name).to.equal(readFileSync(findFile(document, name), 'utf8'))
      }
    })
  }

  it('of a service show the sample that a line of a document links to', () => {
    const file = readFileSync('docs/samples/receiver.py', 'utf8')
    const shown = `\n[receiver.py](samples/receiver.py)\n\n\`\`\`python receiver.py\n${file}\`\`\`\n`
    expect(readDocument('docs/webhooks.md')).to.contain(shown)
  })
})

/** Packages have no links to `docs/samples`. */
function findFile(document: string, name: string): string {
  return document.startsWith('clients/') ? join('docs/samples', basename(dirname(document)), name) : name
}
