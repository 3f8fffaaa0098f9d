import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Config } from '../configuration/config.ts'
import type { Dependencies } from '../configuration/dependencies.ts'

const readEveryMs = 60 * 60 * 1000
const deadlineMs = 5_000
const defaultPorts: Record<string, number> = { 'https:': 443, 'rediss:': 6379 }

/** The label of the metric, with the URLs of the servers that show such a certificate. */
type ServerUrls = Record<'redis_server' | 'identity_provider' | 'sign_in_provider' | 'base_url', string[]>

export type ServerCertificateName = keyof ServerUrls

/** The servers that the process uses besides PostgreSQL, and its own public address. */
export function listServers(
  { redisUrl, baseUrl }: Pick<Config, 'redisUrl' | 'baseUrl'>,
  { provider, oidc }: Pick<Dependencies, 'provider' | 'oidc'>,
): ServerUrls {
  return {
    redis_server: redisUrl ? [redisUrl] : [],
    identity_provider: provider ? [provider.baseUrl] : [],
    sign_in_provider: [oidc.issuer],
    base_url: [baseUrl],
  }
}

/** Reads the servers' certificates now and each hour. One that can't be reached keeps what it has shown last. */
export function watchServerCertificates(servers: ServerUrls) {
  const expiries = new Map<string, Date>()
  function readAll(): void {
    for (const url of Object.values(servers).flat()) {
      readCertificateExpiry(new URL(url)).then(
        at => at && expiries.set(url, at),
        // Each of them has other metrics, and checks of the doctor, that say that it can't be reached.
        () => undefined,
      )
    }
  }
  readAll()
  const timer = setInterval(readAll, readEveryMs).unref()
  return {
    /** When the first of those certificates expires; undefined while none is known. */
    expiry(name: ServerCertificateName): Date | undefined {
      const known = servers[name].flatMap(url => expiries.get(url)?.getTime() ?? [])
      return known.length > 0 ? new Date(Math.min(...known)) : undefined
    },
    close: () => clearInterval(timer),
  }
}

/** Undefined for a URL without TLS. The certificate isn't verified, as nothing is sent. */
export async function readCertificateExpiry({ protocol, hostname, port }: URL): Promise<Date | undefined> {
  const defaultPort = defaultPorts[protocol]
  if (defaultPort === undefined) return undefined
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const name = isIP(host) === 0 ? { servername: host } : {}
  const socket = connect({ host, port: Number(port) || defaultPort, rejectUnauthorized: false, ...name })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(deadlineMs) })
    return socket.getPeerX509Certificate()?.validToDate
  } finally {
    socket.destroy()
  }
}
