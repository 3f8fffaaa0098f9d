import { isLoopbackHost, isLoopbackHttp } from './loopback.policy.ts'

export interface Exposure {
  host: string
  /** BASE_URL; undefined if unset. */
  publicUrl: string | undefined
  allowSimulators: boolean
}

/**
 * Why this is a production configuration, as the end of a sentence. Undefined where embedded parts may replace real
 * dependencies: HOST is loopback and BASE_URL is unset or an http URL of loopback, or ALLOW_SIMULATORS is `true`.
 */
export function productionReason({ host, publicUrl, allowSimulators }: Exposure): string | undefined {
  if (allowSimulators) return undefined
  if (!isLoopbackHost(host)) return `HOST ${host} is not a loopback address`
  if (publicUrl !== undefined && !isLoopbackHttp(publicUrl)) {
    return `BASE_URL ${publicUrl} is not an http URL of a loopback address`
  }
  return undefined
}
