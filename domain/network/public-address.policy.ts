import { BlockList, isIP, isIPv4 } from 'node:net'
import { embeddedIPv4, parseNetwork } from './network.ts'

/** The addresses that webhook events can be sent to. */
export interface AddressPolicy {
  /** Whether connections to this address are allowed; false for anything but a plain IP address. */
  permits(address: string): boolean
  /** Whether the operator allows private networks, as development does. */
  readonly allowsPrivate: boolean
}

/**
 * Public addresses, and those in the networks that the operator allows (CIDR).
 * Throws a `RangeError` that names the first invalid network.
 */
export function createAddressPolicy(allowedNetworks: readonly string[] = []): AddressPolicy {
  const allowed = networks(allowedNetworks)
  return {
    allowsPrivate: allowedNetworks.length > 0,
    permits(text) {
      // A zone id names an interface of this machine: never a receiver's address.
      if (isIP(text) === 0 || text.includes('%')) return false
      const address = translated(text)
      // BlockList compares the IPv4-mapped form (::ffff:a.b.c.d) with IPv4 networks automatically.
      return isPublic(address) || allowed.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
    },
  }
}

/**
 * The IPv4 address that NAT64 translates to (RFC 6052), any other address as it is. Networks with DNS64 resolve every
 * IPv4-only name to one of these, public or not.
 */
function translated(address: string): string {
  return !isIPv4(address) && nat64.check(address, 'ipv6') ? embeddedIPv4(address) : address
}

/** The well-known prefix. A network's own prefix within 64:ff9b:1::/48 can embed the address anywhere. */
const nat64 = networks(['64:ff9b::/96'])

function isPublic(address: string): boolean {
  if (isIPv4(address)) return !closedIPv4.check(address, 'ipv4')
  return openIPv6.check(address, 'ipv6') && !closedIPv6.check(address, 'ipv6')
}

/** IANA's special-purpose registry (RFC 6890), multicast and class E; the last is Azure's metadata service. */
const closedIPv4 = networks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
])

/**
 * Global unicast only. Everything else is excluded by it: loopback, IPv4-mapped and -compatible forms, a network's own
 * NAT64 (64:ff9b:1::/48), unique-local, link-local and multicast addresses.
 */
const openIPv6 = networks(['2000::/3'])

/** Parts of it that are not public, or embed an IPv4 address: Teredo and ORCHID, documentation, 6to4, AS112. */
const closedIPv6 = networks(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48'])

function networks(texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const { address, prefix, family } = parseNetwork(text)
    list.addSubnet(address, prefix, family)
  }
  return list
}
