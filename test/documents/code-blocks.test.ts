import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect } from 'chai'
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
})

/** Configuration is in `deploy`, and programs of integrators in `docs/samples`. */
function findFile(document: string, name: string): string {
  if (name.startsWith('deploy/')) return name
  const folder = document.startsWith('clients/') ? basename(dirname(document)) : ''
  return join('docs/samples', folder, name)
}
