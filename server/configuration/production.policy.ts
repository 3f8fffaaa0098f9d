import { isLoopbackHost, isLoopbackHttp } from './loopback.policy.ts'

interface Exposure {
  host: string
  baseUrl: string | undefined
  allowSimulators: boolean
}

/**
 * Why this is a production configuration, as the end of a sentence. Undefined where embedded parts may replace real
 * dependencies: HOST is loopback and BASE_URL is unset or an http URL of loopback, or ALLOW_SIMULATORS is `true`.
 */
export function productionReason({ host, baseUrl, allowSimulators }: Exposure): string | undefined {
  if (allowSimulators) return undefined
  if (!isLoopbackHost(host)) return `HOST ${host} is not a loopback address`
  if (baseUrl !== undefined && !isLoopbackHttp(baseUrl)) {
    return `BASE_URL ${baseUrl} is not an http URL of a loopback address`
  }
  return undefined
}
