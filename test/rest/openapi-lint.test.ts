import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect } from 'chai'

const root = join(import.meta.dirname, '..', '..')

/**
 * What the linter finds, and is true nevertheless: `POST /verify/complete` always fails, so that it has no success; and
 * no operation refers to `ErrorBody`, because it has the codes of all of them, and the one of a request that matches no
 * operation.
 */
const accepted = [
  'operation-2xx-response at #/paths/~1verify~1complete/post/responses',
  'no-unused-components at #/components/schemas/ErrorBody',
]

for (const [file, expected] of [
  ['openapi.json', accepted],
  ['openapi.provider.json', []],
] as const) {
  it(`${file} passes the strict recommended rules of Redocly`, async () => {
    const source = readFileSync(join(root, file), 'utf8')
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source, absoluteRef: join(root, file), config })
    const found = problems.map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer}`)
    expect(found.toSorted()).to.deep.equal(expected.toSorted())
  })
}
