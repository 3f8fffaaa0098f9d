import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { vectorFiles } from '#clients/test-vectors/generator/vector-files.ts'
import { file as types, typesOfApi } from './write-types.ts'

describe('The generated files of the clients', () => {
  for (const [file, text] of Object.entries(vectorFiles())) {
    it(`include ${file} as its generator writes it (if not: npm run test-vectors)`, () => {
      expect(readFileSync(`clients/test-vectors/${file}`, 'utf8')).to.equal(text)
    })
  }

  it("include TypeScript's types of openapi.json (if not: npm run sdk-types)", async () => {
    expect(readFileSync(types, 'utf8')).to.equal(await typesOfApi())
  }).timeout(30_000)
})
