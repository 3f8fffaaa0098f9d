import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { documentFiles } from '#rest/openapi/document-files.ts'

describe('The OpenAPI documents', () => {
  for (const [file, text] of Object.entries(documentFiles())) {
    it(`${file} matches the declarations (if not: npm run openapi)`, () => {
      const checkedIn = existsSync(file) ? readFileSync(file, 'utf8') : ''
      expect(checkedIn === text, `the declarations have changed: npm run openapi`).to.equal(true)
    })
  }
})
