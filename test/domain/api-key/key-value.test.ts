import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { ApiKeyVector } from '#clients/test-vectors/generator/api-keys.ts'
import { isKeyValue, newKeyValue } from '#domain/api-key/key-value.ts'

const { vectors } = JSON.parse(readFileSync('clients/test-vectors/api-keys.json', 'utf8')) as {
  vectors: ApiKeyVector[]
}

describe('The form of an API key', () => {
  for (const { name, key, verdict, reason } of vectors) {
    it(`is ${verdict} (${reason}): ${name}`, () => {
      expect(isKeyValue(key)).to.equal(verdict === 'valid')
    })
  }

  it('is that of every new key, and no two are equal', () => {
    const keys = Array.from({ length: 100 }, () => newKeyValue())
    expect(keys.filter(key => !isKeyValue(key))).to.deep.equal([])
    expect(new Set(keys).size).to.equal(keys.length)
  })
})
