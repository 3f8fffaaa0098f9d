import { isIPv6 } from 'node:net'
import { groupsOfIPv6 } from '#domain/network/network.ts'

/** An IPv4 address, or the /64 network of an IPv6 address, because one client commonly has all of its addresses. */
export function addressBlock(address: string): string {
  if (!isIPv6(address)) return address
  const groups = groupsOfIPv6(address)
  const isMappedIPv4 = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  if (!isMappedIPv4)
    return `${groups
      .slice(0, 4)
      .map(group => group.toString(16))
      .join(':')}::/64`
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
