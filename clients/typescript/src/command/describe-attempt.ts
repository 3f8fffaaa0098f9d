import { isRecord, parseJson } from '../json.ts'
import { type Attempt, isSuccess } from './forward.ts'

/** A line for people, such as `12:00:01  verification.completed  approved  019a…  attempt 1: 204, 12 ms`. */
export function describeAttempt({ event, attempt, status, failure, durationMs, retryInMs }: Attempt): string {
  const body = parseJson(event.body)
  const { event: type, data } = isRecord(body) ? body : {}
  const { status: result, verificationId } = isRecord(data) ? data : {}
  const time = new Date().toTimeString().slice(0, 8)
  const outcome = `attempt ${attempt}: ${status ?? failure}, ${durationMs} ms`
  const next = isSuccess(status) ? '' : `; ${whatFollows(event.url, retryInMs)}`
  return [time, type, result, verificationId, outcome + next].join('  ')
}

function whatFollows(url: string | null, retryInMs: number | undefined): string {
  if (retryInMs !== undefined) return `again in ${retryInMs / 1000} s`
  return url === null ? 'given up' : 'the service repeats it only if your webhook URL fails'
}
