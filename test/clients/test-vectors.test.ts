import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { vectorFiles } from '#clients/test-vectors/generator/vector-files.ts'

describe('Test vectors', () => {
  for (const [file, text] of Object.entries(vectorFiles())) {
    it(`${file} is what its generator writes (if not: npm run test-vectors)`, () => {
      expect(readFileSync(`clients/test-vectors/${file}`, 'utf8')).to.equal(text)
    })
  }
})
