import type { DomainLog } from './scope.ts'

/** Does work that waits for somebody else, such as the client or the provider: meanwhile the request is no load. */
export async function whileIdle<Result>(log: DomainLog, work: () => Promise<Result>): Promise<Result> {
  return await (log.whileIdle ? log.whileIdle(work) : work())
}
