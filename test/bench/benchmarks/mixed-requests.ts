import type { Fixture } from '../fixture/fixture.ts'
import type { BenchRequest } from '../load/orders.ts'
import { start } from './start.ts'
import { status } from './status.ts'

const pollsPerStart = 3

/** What tenants send: for each start of a verification a few look-ups of a status. */
export async function mixedRequests(fixture: Fixture): Promise<BenchRequest[]> {
  const starts = await start.requests(fixture, 0)
  const polls = await status.requests(fixture, 0)
  return starts.flatMap((each, index) => [
    each,
    ...polls.slice(index * pollsPerStart, (index + 1) * pollsPerStart),
  ])
}
