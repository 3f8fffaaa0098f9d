import { isIP, isIPv6 } from 'node:net'
import type { Context } from 'koa'
import { embeddedIPv4, groupsOfIPv6, isMappedIPv4 } from '#domain/network/network.ts'

/**
 * Returns the caller's IP address: the one that the outermost trusted proxy (`TRUST_PROXY`) reports, or else that
 * of the connection. A port that some proxies append is removed. Anything but an IP address is ignored, and so is an
 * address with a zone, which can be any text.
 */
export function callerAddress(ctx: Context): string {
  const bare = ctx.ip.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  return isIP(bare) && !bare.includes('%') ? bare : (ctx.socket.remoteAddress ?? '')
}

/** An IPv4 address, or the /64 network of an IPv6 address, because one client commonly has all of its addresses. */
export function addressBlock(address: string): string {
  // Node adds the zone, such as %eth0, to a link-local address.
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return bare
  if (isMappedIPv4(bare)) return embeddedIPv4(bare)
  const network = groupsOfIPv6(bare).slice(0, 4)
  return `${network.map(group => group.toString(16)).join(':')}::/64`
}
