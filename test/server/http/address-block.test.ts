import { expect } from 'chai'
import { addressBlock } from '#server/http/client-address.ts'

describe('The clients behind an address', () => {
  for (const [title, address, block] of [
    ['an IPv4 address', '203.0.113.7', '203.0.113.7'],
    ['an IPv4 address in IPv6 form', '::ffff:203.0.113.7', '203.0.113.7'],
    ['the /64 network of an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['the same network of a neighbor', '2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['another network for the next one', '2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['the /64 network of a link-local address, which has a zone', 'fe80::fc:ff%eth0', 'fe80:0:0:0::/64'],
    ['nothing, for a closed connection', '', ''],
  ]) {
    it(`are one for ${title}`, () => {
      expect(addressBlock(address!)).to.equal(block)
    })
  }
})
