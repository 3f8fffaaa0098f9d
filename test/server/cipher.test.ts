import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { createCipher } from '#server/cipher.ts'

describe('The cipher for secrets at rest', () => {
  const cipher = createCipher(randomBytes(32).toString('base64'))
  const sealed = cipher.seal('whsec_ü', 'webhook-secret:1')

  it('decrypts to the original text, and encrypts to different bytes each time', () => {
    expect(cipher.open(sealed, 'webhook-secret:1')).to.equal('whsec_ü')
    expect(cipher.seal('whsec_ü', 'webhook-secret:1').equals(sealed)).to.equal(false)
    expect(sealed.includes('whsec_')).to.equal(false)
  })

  it('does not decrypt with another purpose or another key', () => {
    expect(() => cipher.open(sealed, 'webhook-secret:2')).to.throw()
    const other = createCipher(randomBytes(32).toString('base64'))
    expect(() => other.open(sealed, 'webhook-secret:1')).to.throw()
  })

  it('does not decrypt if any byte was changed, including the version, or if bytes are missing', () => {
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index]! ^= 1
      expect(() => cipher.open(changed, 'webhook-secret:1'), `byte ${index}`).to.throw()
      const cut = sealed.subarray(0, index)
      expect(() => cipher.open(cut, 'webhook-secret:1'), `${index} bytes`).to.throw()
    }
  })
})
