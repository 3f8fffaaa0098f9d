import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect } from 'chai'
import { codeBlocks } from './samples.ts'

/** Output, requests and data. */
const shownOnly = ['console', 'http', 'json', 'text']

/** How commands begin that no test runs, and why. */
const notRun: Record<string, string> = {
  'npm ci': 'installs the packages that the tests run with',
  'npm run receive -- --tenant': 'runs until it is stopped',
  'export SERVICE_URL=': 'has a placeholder for an API key',
  'docker build': 'needs a container engine',
}

describe('The code blocks', () => {
  for (const document of ['README.md', ...globSync('{docs,clients/*}/*.md')]) {
    it(`of ${document} are files of docs/samples, or commands that are run`, () => {
      const folder = document.startsWith('clients/') ? basename(dirname(document)) : ''
      for (const { language, name, code } of codeBlocks(document)) {
        if (shownOnly.includes(language) || (language === 'sh' && name === 'run')) continue
        const isExplained = Object.keys(notRun).some(start => code.startsWith(start))
        if (language === 'sh' && isExplained) continue
        expect(name, `name the file of this ${language}:\n${code}`).not.to.equal('')
        expect(code, name).to.equal(readFileSync(join('docs/samples', folder, name), 'utf8'))
      }
    })
  }
})
