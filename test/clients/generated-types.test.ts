import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { typesFile } from './types-file.ts'

describe("The TypeScript client's types of the API", () => {
  it('are those of openapi.json (if not: npm run sdk-types)', async () => {
    expect(readFileSync('clients/typescript/src/generated/openapi.ts', 'utf8')).to.equal(await typesFile())
  }).timeout(30_000)
})
