import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { createCipher } from '#server/cipher.ts'

describe('The cipher for secrets at rest', () => {
  const cipher = createCipher([randomBytes(32).toString('base64')])
  const sealed = cipher.seal('whsec_ü', 'webhook-secret:1')

  it('decrypts to the original text, and encrypts to different bytes each time', () => {
    expect(cipher.open(sealed, 'webhook-secret:1')).to.equal('whsec_ü')
    expect(cipher.seal('whsec_ü', 'webhook-secret:1').equals(sealed)).to.equal(false)
    expect(sealed.includes('whsec_')).to.equal(false)
  })

  it('does not decrypt with another purpose or another key', () => {
    expect(() => cipher.open(sealed, 'webhook-secret:2')).to.throw()
    const other = createCipher([randomBytes(32).toString('base64')])
    expect(() => other.open(sealed, 'webhook-secret:1')).to.throw()
  })

  it('encrypts with the first of several keys, and decrypts what any of them encrypted', () => {
    const [oldKey, newKey] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string]
    const before = createCipher([oldKey])
    const during = createCipher([newKey, oldKey])
    const after = createCipher([newKey])
    const old = before.seal('secret', 'a')
    const fresh = during.seal('secret', 'a')
    expect(during.open(old, 'a')).to.equal('secret')
    expect(after.open(fresh, 'a')).to.equal('secret')
    expect(() => after.open(old, 'a')).to.throw('No encryption key has the id')
    expect(() => before.open(fresh, 'a')).to.throw('No encryption key has the id')
    expect(fresh.subarray(0, 5).equals(during.newestPrefix)).to.equal(true)
    expect(old.subarray(0, 5).equals(during.newestPrefix)).to.equal(false)
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
