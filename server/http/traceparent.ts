/** The parts of a `traceparent`, in lower-case hex. */
interface Traceparent {
  traceId: string
  spanId: string
  /** Bit 0: whether the trace is sampled. */
  flags: number
}

const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/
/** Later versions of the header may have more fields; no version is known to have more than this. */
const lengthMax = 256

/** Parses the header of W3C Trace Context; undefined if it is absent or malformed, and then is to be ignored. */
export function parseTraceparent(header: string | string[] | null | undefined): Traceparent | undefined {
  if (typeof header !== 'string' || header.length > lengthMax) return undefined
  const match = pattern.exec(header)
  if (!match || (header.startsWith('00') && header.length !== 55)) return undefined
  return { traceId: match[1]!, spanId: match[2]!, flags: Number.parseInt(match[3]!, 16) }
}
