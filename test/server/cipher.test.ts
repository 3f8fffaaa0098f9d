import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { createCipher } from '#server/cipher.ts'

describe('Secrets at rest', () => {
  const cipher = createCipher(randomBytes(32).toString('base64'))
  const sealed = cipher.seal('whsec_ü', 'webhook-secret:1')

  it('come back as they were, and are sealed anew each time', () => {
    expect(cipher.open(sealed, 'webhook-secret:1')).to.equal('whsec_ü')
    expect(cipher.seal('whsec_ü', 'webhook-secret:1').equals(sealed)).to.equal(false)
    expect(sealed.includes('whsec_')).to.equal(false)
  })

  it('cannot be put in the place of another, nor be opened with another key', () => {
    expect(() => cipher.open(sealed, 'webhook-secret:2')).to.throw()
    const other = createCipher(randomBytes(32).toString('base64'))
    expect(() => other.open(sealed, 'webhook-secret:1')).to.throw()
  })

  it('are refused when any byte was changed, the version too, or when they were cut short', () => {
    for (let place = 0; place < sealed.length; place++) {
      const changed = Buffer.from(sealed)
      changed[place]! ^= 1
      expect(() => cipher.open(changed, 'webhook-secret:1'), `byte ${place}`).to.throw()
      const cut = sealed.subarray(0, place)
      expect(() => cipher.open(cut, 'webhook-secret:1'), `${place} bytes`).to.throw()
    }
  })
})
