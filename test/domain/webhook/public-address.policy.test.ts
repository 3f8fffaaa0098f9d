import { expect } from 'chai'
import fc from 'fast-check'
import { createAddressPolicy } from '#domain/network/public-address.policy.ts'

const policy = createAddressPolicy()

/** The first and the last address of every IPv4 range that is not public. */
const closedRanges: [string, string][] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
]
const numberOf = (address: string) => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
const addressOf = (value: number) => [24, 16, 8, 0].map(shift => (value >>> shift) & 255).join('.')
const isClosed = (value: number) =>
  closedRanges.some(([first, last]) => value >= numberOf(first) && value <= numberOf(last))

describe('Addresses that webhook events can be sent to', () => {
  for (const [first, last] of closedRanges) {
    it(`do not include ${first} to ${last}, both inclusive`, () => {
      expect(policy.permits(first)).to.equal(false)
      expect(policy.permits(last)).to.equal(false)
      for (const beyond of [numberOf(first) - 1, numberOf(last) + 1]) {
        if (beyond < 0 || beyond > 2 ** 32 - 1) continue
        expect(policy.permits(addressOf(beyond)), addressOf(beyond)).to.equal(!isClosed(beyond))
      }
    })
  }

  it('include every other IPv4 address', () => {
    const inside = fc
      .constantFrom(...closedRanges)
      .chain(([first, last]) => fc.integer({ min: numberOf(first), max: numberOf(last) }))
    const anywhere = fc.integer({ min: 0, max: 2 ** 32 - 1 })
    fc.assert(
      fc.property(fc.oneof(inside, anywhere), value => {
        expect(policy.permits(addressOf(value)), addressOf(value)).to.equal(!isClosed(value))
      }),
      { numRuns: 500 },
    )
  })

  const hostile = `:: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 ::127.0.0.1 ::7f00:1 64:ff9b::7f00:1
    64:ff9b::a9fe:a9fe 64:ff9b::8.8.8.8%eth0 64:ff9b:0:0:0:1:808:808 64:ff9b:1::808:808 64:ff9b:1::a00:1 100::1 2001::1 2001:1ff::1 2001:db8::1 2002:7f00:1:: 2002:808:808::1 3fff::1
    2620:4f:8000::1 4000::1 8000::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 5f00::1
    2606:4700::1%eth0 1.1.1.1%eth0 127.1 2130706433 0x7f.0.0.1 1.1.1 example.com`
  for (const address of ['', '1.1.1.1 ', ...hostile.split(/\s+/)]) {
    it(`do not include "${address}"`, () => expect(policy.permits(address)).to.equal(false))
  }

  for (const address of ['2001:200::1', '2606:4700:4700::1111', '2a00:1450:4001::200e', '2620:4f:7fff::1']) {
    it(`include ${address}`, () => expect(policy.permits(address)).to.equal(true))
  }

  it('include no IPv6 address but global unicast, 2000::/3', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), bytes => {
        fc.pre(bytes[0]! >> 5 !== 1)
        const groups = Array.from({ length: 8 }, (_, i) =>
          (bytes[2 * i]! * 256 + bytes[2 * i + 1]!).toString(16),
        )
        expect(policy.permits(groups.join(':'))).to.equal(false)
      }),
      { numRuns: 500 },
    )
  })

  it('include no IPv4 address within an IPv6 one: mapped, compatible, NAT64 of a local prefix, 6to4', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::ffff:', '::', '64:ff9b:1::', '2002:'), (ip, prefix) => {
        const [a, b, c, d] = ip.split('.').map(Number) as [number, number, number, number]
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
        const spellings = prefix === '2002:' ? [`2002:${hex}::1`] : [`${prefix}${ip}`, `${prefix}${hex}`]
        for (const spelling of spellings) expect(policy.permits(spelling), spelling).to.equal(false)
      }),
    )
  })

  it('include the NAT64 form of an IPv4 address exactly where they include the address, in every spelling', () => {
    const offices = createAddressPolicy(['10.1.0.0/16', '64:ff9b::/96', '::/0'])
    const inside = fc.constantFrom('10.1.2.3', '10.2.0.1', '127.0.0.1', '169.254.169.254', '8.8.8.8')
    const first = fc.constantFrom('64:ff9b::', '0064:FF9B:0:0:0:0:', '64:ff9b:0::0:')
    fc.assert(
      fc.property(fc.oneof(inside, fc.ipV4()), first, (ip, prefix) => {
        const [a, b, c, d] = ip.split('.').map(Number) as [number, number, number, number]
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
        for (const spelling of [`${prefix}${ip}`, `${prefix}${hex}`]) {
          expect(policy.permits(spelling), spelling).to.equal(policy.permits(ip))
          expect(offices.permits(spelling), spelling).to.equal(offices.permits(ip))
        }
      }),
    )
  })

  it('include allowed private networks, also in IPv4-mapped and NAT64 form, and no others', () => {
    const local = createAddressPolicy(['127.0.0.0/8', 'fd00:1::/32', '::1/128'])
    const allowed = '127.0.0.1 127.255.255.255 ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1 ::1 fd00:1::9'
    for (const address of allowed.split(' ')) expect(local.permits(address), address).to.equal(true)
    const others = '10.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::a00:1 fd00:2::1 ::2'
    for (const address of others.split(' ')) expect(local.permits(address), address).to.equal(false)
    expect(local.permits('fd00:1::9%eth0')).to.equal(false)
    expect(local.permits('1.1.1.1')).to.equal(true)
  })

  it('report whether private networks are allowed at all', () => {
    expect(policy.allowsPrivate).to.equal(false)
    expect(createAddressPolicy(['10.0.0.0/8']).allowsPrivate).to.equal(true)
  })

  it('require valid networks', () => {
    expect(() => createAddressPolicy(['10.0.0.0/8', '10.0.0.1'])).to.throw(RangeError, '"10.0.0.1"')
  })
})
