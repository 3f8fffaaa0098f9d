import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect } from 'chai'

/** What the linter finds, and is true nevertheless: `POST /verify/complete` always fails, so that it has no success. */
const accepted = ['operation-2xx-response at #/paths/~1verify~1complete/post/responses']

it('openapi.json passes the strict recommended rules of Redocly', async () => {
  const source = readFileSync('openapi.json', 'utf8')
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  const found = problems.map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer}`)
  expect(found.toSorted()).to.deep.equal(accepted.toSorted())
})
