import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { openApiText } from '#development/openapi/document.ts'

it('openapi.json matches the declarations (if not: npm run openapi)', () => {
  const isCurrent = readFileSync('openapi.json', 'utf8') === openApiText()
  expect(isCurrent, 'the declarations have changed: npm run openapi').to.equal(true)
})
