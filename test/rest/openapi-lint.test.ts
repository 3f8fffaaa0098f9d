import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { expect } from 'chai'

const root = join(import.meta.dirname, '..', '..')

/**
 * What the linters find, and is true nevertheless: `POST /verify/complete` always fails, so that it has no success; and
 * no operation refers to `ErrorBody`, because it has the codes of all of them, and the one of a request that matches no
 * operation.
 */
const accepted = {
  redocly: [
    'operation-2xx-response at #/paths/~1verify~1complete/post/responses',
    'no-unused-components at #/components/schemas/ErrorBody',
  ],
  spectral: [
    'operation-success-response at paths./verify/complete.post.responses',
    'oas3-unused-component at components.schemas.ErrorBody',
  ],
}

for (const [file, expected] of [
  ['openapi.json', accepted],
  ['openapi.provider.json', { redocly: [], spectral: [] }],
] as const) {
  describe(file, () => {
    const source = readFileSync(join(root, file), 'utf8')

    it('passes the strict recommended rules of Redocly', async () => {
      const config = await createConfig({ extends: ['recommended-strict'] })
      const problems = await lintFromString({ source, absoluteRef: join(root, file), config })
      const found = problems.map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer}`)
      expect(found.toSorted()).to.deep.equal(expected.redocly.toSorted())
    })

    it('passes the OpenAPI rules of Spectral', async () => {
      const spectral = new spectralCore.Spectral()
      spectral.setRuleset(spectralRulesets.oas as RulesetDefinition)
      const problems = await spectral.run(source)
      const found = problems.map(({ code, path }) => `${code} at ${path.join('.')}`)
      expect(found.toSorted()).to.deep.equal(expected.spectral.toSorted())
    })
  })
}
