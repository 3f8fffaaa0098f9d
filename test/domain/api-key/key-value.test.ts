import { expect } from 'chai'
import { isKeyValue, newKeyValue } from '#domain/api-key/key-value.ts'
import { apiKeyVectors } from '../../clients/test-vectors.ts'

describe('The form of an API key', () => {
  for (const { name, key, verdict, reason } of apiKeyVectors) {
    it(`is ${verdict} (${reason}): ${name}`, () => {
      expect(isKeyValue(key)).to.equal(verdict === 'valid')
    })
  }

  it('is that of every new key, and no two are equal', () => {
    const keys = Array.from({ length: 100 }, (_, at) => newKeyValue({ test: at % 2 === 0 }))
    expect(keys.filter(key => !isKeyValue(key))).to.deep.equal([])
    expect(new Set(keys).size).to.equal(keys.length)
  })
})
