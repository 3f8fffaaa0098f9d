import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { DomainError } from '#domain/errors.ts'
import { isRepeated } from '#rest/is-repeated.ts'

/** Throws `INVALID_PARAMETERS` for what Node's parser accepts, and a server must reject (RFC 9112). */
export function assertWellFormed(request: IncomingMessage): void {
  const { httpVersion, headers } = request
  const { host } = headers
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw malformed('HTTP version', 'must be 1.1 or 1.0')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && (httpVersion === '1.0' || coding.trim().toLowerCase() !== 'chunked')) {
    throw malformed('Transfer-Encoding', 'must be chunked, in HTTP/1.1')
  }
  if (isRepeated(request, 'host')) throw malformed('Host', 'was sent more than once; send it once')
  if (host === undefined && httpVersion === '1.1') throw malformed('Host', 'is required')
  if (host !== undefined && !isHost(host)) throw malformed('Host', 'must be a host name or an IP address')
}

function malformed(path: string, message: string): DomainError {
  const details = { issues: [{ path, message }] }
  return new DomainError('INVALID_PARAMETERS', { message: `${path} ${message}.`, details })
}

/** A host that is not empty, with a port or without (RFC 3986, 3.2.2; the zone of an address as RFC 6874 has it). */
function isHost(value: string): boolean {
  if (nameAndPort.test(value)) return true
  const { address, future } = literalAndPort.exec(value)?.groups ?? {}
  return future !== undefined || (address !== undefined && isIPv6(address))
}

const nameAndPort = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+(?::\d*)?$/i
const literalAndPort =
  /^\[(?:(?<address>[\da-f:.]+)(?:%25(?:[\w.~-]|%[\da-f]{2})+)?|(?<future>v[\da-f]+\.[\w.~!$&'()*+,;=:-]+))\](?::\d*)?$/i
