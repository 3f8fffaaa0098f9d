import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { ConnectionOptions as TlsOptions } from 'node:tls'

/** Which servers a connection accepts, by the names that libpq gives them. */
export const targetSessionAttributes = ['any', 'read-write', 'read-only', 'primary', 'standby'] as const
export type TargetSessionAttributes = (typeof targetSessionAttributes)[number]

export interface Server {
  /** A host name, an address, or the folder of a Unix socket. */
  host: string
  port: number
  ssl?: false | TlsOptions
}

/** One address of a server, to which a connection is attempted. */
export interface ServerAddress extends Server {
  /** What the certificate is compared with, and what errors name. */
  name: string
}

export interface ServerList {
  target: TargetSessionAttributes
  /** As the URL names them. */
  servers: readonly Server[]
  /** Every address of every server, in the order in which to try them. Names are resolved anew each time. */
  addresses(): Promise<ServerAddress[]>
  /** The address that was connected to last is tried first, where only one server can be the right one. */
  remember(address: ServerAddress): void
}

export interface ServerListOptions {
  target: TargetSessionAttributes
  /** Whether the order is random for each connection. */
  isRandom: boolean
}

/** The servers of one URL. */
export function createServerList(
  servers: readonly Server[],
  { target, isRandom }: ServerListOptions,
): ServerList {
  const isSingular = target === 'read-write' || target === 'primary'
  let last: string | undefined
  return {
    target,
    servers,
    async addresses() {
      const ordered = isRandom ? shuffled(servers) : servers
      const addresses = (await Promise.all(ordered.map(addressesOf))).flat()
      return addresses.toSorted((a, b) => Number(keyOf(b) === last) - Number(keyOf(a) === last))
    },
    remember(address) {
      if (isSingular) last = keyOf(address)
    },
  }
}

function keyOf({ host, port }: ServerAddress): string {
  return `${host} ${port}`
}

async function addressesOf(server: Server): Promise<ServerAddress[]> {
  const { host, ssl } = server
  const name = host
  if (isIP(host) !== 0 || host.startsWith('/')) return [{ ...server, name }]
  try {
    const found = await lookup(host, { all: true })
    const named = ssl ? { ssl: { ...ssl, servername: host } } : {}
    return found.map(({ address }) => ({ ...server, ...named, name, host: address }))
  } catch {
    // Connecting to the name reports the error.
    return [{ ...server, name }]
  }
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map(item => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
