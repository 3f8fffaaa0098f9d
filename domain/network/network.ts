import { BlockList, isIP } from 'node:net'

/** A range of addresses. */
export interface Network {
  address: string
  /** Number of leading bits that all its addresses share. */
  prefix: number
  family: 'ipv4' | 'ipv6'
}

/**
 * Parses a network in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`. Throws a `RangeError` with a suggestion for
 * everything that could include more addresses than intended.
 */
export function parseNetwork(text: string): Network {
  const [address = '', length, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) {
    throw new RangeError(`"${text}" is not a network; write it like 10.0.0.0/8 or fd00::/8`)
  }
  const bits = version === 4 ? 32 : 128
  if (length === undefined) {
    throw new RangeError(`"${text}" has no prefix length; write ${address}/${bits} for this one address`)
  }
  if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > bits) {
    throw new RangeError(`"${text}" must have a prefix length from 0 to ${bits}`)
  }
  const network: Network = { address, prefix: Number(length), family: version === 4 ? 'ipv4' : 'ipv6' }
  if (network.family === 'ipv6' && isMappedIPv4(address)) {
    throw new RangeError(`"${text}" is an IPv4 network in IPv6 form; write it as IPv4, like 10.0.0.0/8`)
  }
  if (!isFirstAddress(network)) {
    throw new RangeError(`"${text}" has bits set after its prefix; write ${address}/${bits} for one address`)
  }
  return network
}

const mapped = new BlockList()
mapped.addSubnet('::ffff:0:0', 96, 'ipv6')

/** Whether it is an IPv4 address in IPv6 form (RFC 4291, section 2.5.5.2). */
export function isMappedIPv4(address: string): boolean {
  return mapped.check(address, 'ipv6')
}

/** The IPv4 address in the last 32 bits of an IPv6 address. */
export function embeddedIPv4(address: string): string {
  return groupsOfIPv6(address)
    .slice(-2)
    .flatMap(group => [group >> 8, group & 255])
    .join('.')
}

/** Whether no bit is set after the prefix. */
function isFirstAddress({ address, prefix, family }: Network): boolean {
  const [groups, groupBits] =
    family === 'ipv4' ? [address.split('.').map(Number), 8n] : [groupsOfIPv6(address), 16n]
  const value = groups.reduce((bits, group) => (bits << groupBits) | BigInt(group), 0n)
  const hostBits = BigInt(groups.length) * groupBits - BigInt(prefix)
  return (value & ((1n << hostBits) - 1n)) === 0n
}

/** The eight groups; the URL parser normalizes every notation to hexadecimal groups with at most one "::". */
export function groupsOfIPv6(address: string): number[] {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [left, right] = [head, tail].map(part => part.split(':').filter(group => group !== '')) as [
    string[],
    string[],
  ]
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...zeros, ...right].map(group => Number.parseInt(group, 16))
}
