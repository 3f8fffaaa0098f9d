import { expect } from 'chai'
import { httpsUrlViolation } from '#domain/network/https-url.policy.ts'

describe('Return URLs', () => {
  for (const url of [
    'https://shop.example/age',
    'https://localhost:5173/back',
    'https://10.0.0.1/#/age?x=1',
  ]) {
    it(`may be ${url}, as only the user's browser goes there`, () => {
      expect(httpsUrlViolation(url)).to.equal(undefined)
    })
  }

  const texts = `http://shop.example/ http://localhost:5173/ http://127.0.0.1/ javascript:alert(1) https://
    https://user:secret@shop.example/ https://@shop.example/ https://shop.example/${'a'.repeat(2_048)}`
  for (const url of [...texts.split(/\s+/), ' https://shop.example/', 'https://shop\n.example']) {
    it(`may not be ${JSON.stringify(url.slice(0, 50))}`, () =>
      expect(httpsUrlViolation(url)).to.match(/^The URL .*\.$/))
  }
})
