import { expect } from 'chai'
import fc from 'fast-check'
import { parseNetwork } from '#domain/network/network.ts'

describe('Networks of receivers', () => {
  it('are read in CIDR form', () => {
    expect(parseNetwork('10.0.0.0/8')).to.deep.equal({ address: '10.0.0.0', prefix: 8, family: 'ipv4' })
    expect(parseNetwork('127.0.0.1/32')).to.deep.equal({ address: '127.0.0.1', prefix: 32, family: 'ipv4' })
    expect(parseNetwork('fd00::/8')).to.deep.equal({ address: 'fd00::', prefix: 8, family: 'ipv6' })
    expect(parseNetwork('::1/128')).to.deep.equal({ address: '::1', prefix: 128, family: 'ipv6' })
    expect(parseNetwork('0.0.0.0/0').prefix).to.equal(0)
  })

  const wrong: [string, string][] = [
    ['', 'is not a network'],
    ['localhost', 'is not a network'],
    ['10.0.0/8', 'is not a network'],
    ['010.0.0.0/8', 'is not a network'],
    ['0x0a000000/8', 'is not a network'],
    ['10.0.0.0/8/8', 'is not a network'],
    [' 10.0.0.0/8', 'is not a network'],
    ['fe80::%eth0/10', 'is not a network'],
    ['[fd00::]/8', 'is not a network'],
    ['127.0.0.1', 'has no prefix length; write 127.0.0.1/32'],
    ['::1', 'has no prefix length; write ::1/128'],
    ['10.0.0.0/', 'must have a prefix length from 0 to 32'],
    ['10.0.0.0/33', 'must have a prefix length from 0 to 32'],
    ['10.0.0.0/08', 'must have a prefix length from 0 to 32'],
    ['10.0.0.0/-8', 'must have a prefix length from 0 to 32'],
    ['10.0.0.0/255.0.0.0', 'must have a prefix length from 0 to 32'],
    ['fd00::/129', 'must have a prefix length from 0 to 128'],
    ['10.0.0.1/8', 'has bits set after its prefix; write 10.0.0.1/32'],
    ['fd00::1/8', 'has bits set after its prefix; write fd00::1/128'],
    ['::ffff:10.0.0.0/104', 'is an IPv4 network in IPv6 form'],
    ['::ffff:a00:0/104', 'is an IPv4 network in IPv6 form'],
  ]
  for (const [text, reason] of wrong) {
    it(`throw a RangeError with a reason when written as "${text}"`, () => {
      expect(() => parseNetwork(text)).to.throw(RangeError, reason)
    })
  }

  it('contain only addresses that share the whole prefix', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, prefix) => {
        const value = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
        const isFirst = value % 2 ** (32 - prefix) === 0
        if (isFirst) expect(parseNetwork(`${address}/${prefix}`).prefix).to.equal(prefix)
        else expect(() => parseNetwork(`${address}/${prefix}`)).to.throw(RangeError)
      }),
    )
  })
})
