import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { file as types, typesOfApi } from './write-types.ts'

describe('The generated files of the clients', function () {
  this.timeout(60_000)

  it("include TypeScript's types of openapi.json (if not: npm run sdk-types)", async () => {
    expect(readFileSync(types, 'utf8')).to.equal(await typesOfApi())
  })
})
