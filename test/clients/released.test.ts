import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import type { Packed } from '../harness/run/packed-clients.ts'
import { sharedResource } from '../harness/run/shared-resources.ts'

describe('The clients in clients/released', function () {
  this.timeout(60_000)

  it('are what their sources pack, byte for byte (if not: npm run release-clients)', async () => {
    const packed = Object.values(await sharedResource<Packed>('clients')) as string[]
    expect(readdirSync('clients/released')).to.have.members(packed.map(path => basename(path)))
    for (const path of packed) {
      const released = readFileSync(join('clients/released', basename(path)))
      expect(released.equals(readFileSync(path)), path).to.equal(true)
    }
  })
})
