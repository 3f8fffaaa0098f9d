import { isIPv6 } from 'node:net'
import { embeddedIPv4, groupsOfIPv6, isMappedIPv4 } from '#domain/network/network.ts'

/** An IPv4 address, or the /64 network of an IPv6 address, because one client commonly has all of its addresses. */
export function addressBlock(address: string): string {
  // Node adds the zone, such as %eth0, to a link-local address.
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return bare
  if (isMappedIPv4(bare)) return embeddedIPv4(bare)
  const network = groupsOfIPv6(bare).slice(0, 4)
  return `${network.map(group => group.toString(16)).join(':')}::/64`
}
