import type { BenchContext, Benchmark } from './benchmark.ts'
import type { Memory } from './children/start-child.ts'
import type { LoadOrder, LoadReport } from './load/order.ts'
import { startLoad } from './measure.ts'
import { markdown } from './report/markdown.ts'
import { status } from './status.ts'
import { startService } from './targets.ts'

const requestCount = 100_000
/** Until all code is loaded. */
const firstRequests = 2_000
const secondsMax = 300
const bytesPerMib = 1024 ** 2

export const memory: Benchmark = {
  name: 'memory',
  description:
    `Memory of the service before and after ${requestCount.toLocaleString('en')} requests of the scenario status, after a ` +
    `garbage collection;\nbefore: after the first ${firstRequests.toLocaleString('en')}.`,
  durationSeconds: () => 25,
  run: measureMemory,
}

async function measureMemory({ fixture, options, onRound }: BenchContext) {
  await using closing = new AsyncDisposableStack()
  const server = closing.adopt(await startService(fixture, { flags: ['--expose-gc'] }), child =>
    child.close(),
  )
  const load = closing.adopt(startLoad(fixture.folder), child => child.close())
  const requests = await status.requests(fixture, 0)
  async function memoryAfter(requestsMax: number): Promise<Memory> {
    const { origin } = server
    const { connections } = options
    const limits = { seconds: secondsMax, requestsMax, once: false }
    const order: LoadOrder = { origin, connections, ...limits, requests, status: status.status }
    const { error } = await load.request<LoadReport>(order)
    if (error) throw new Error(`memory: ${origin} responded ${error}`)
    return await server.memory()
  }
  const before = await memoryAfter(firstRequests)
  onRound(options.rounds)
  const after = await memoryAfter(requestCount)
  return { table: markdown([headings, lineOf('before', before), lineOf('after', after)]) }
}

const headings = ['', 'resident, MiB', 'heap, MiB']

function lineOf(name: string, { residentBytes, heapBytes }: Memory): string[] {
  return [name, ...[residentBytes, heapBytes].map(bytes => (bytes / bytesPerMib).toFixed(1))]
}
