import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { file as consoleTypes, typesOfConsole } from '#development/clients/write-console-types.ts'
import { file as types, typesOfApi } from './write-types.ts'

describe('The generated files of the clients', function () {
  this.timeout(60_000)

  it("include TypeScript's types of openapi.json (if not: npm run sdk-types)", async () => {
    expect(readFileSync(types, 'utf8')).to.equal(await typesOfApi())
  })

  it("include the types of the console's API (if not: npm run console-types)", async () => {
    expect(readFileSync(consoleTypes, 'utf8')).to.equal(await typesOfConsole())
  })
})
