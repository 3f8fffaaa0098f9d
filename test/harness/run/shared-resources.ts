import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenLocally } from '../listen-locally.ts'

/** A part that all test files of a run share: started by the first request for it, closed at the end of the run. */
export type Resource<Value> = (closing: AsyncDisposableStack) => Promise<Value>

/** Tells worker processes where mocha's parent process serves the resources. */
const urlVariable = 'TEST_RESOURCES_URL'

/** Serves the resources by name to the worker processes. Runs in mocha's parent process. */
export async function serveResources(
  resources: Record<string, Resource<unknown>>,
): Promise<{ close(): Promise<void> }> {
  const closing = new AsyncDisposableStack()
  const started = new Map<string, Promise<unknown>>()
  const server = createServer(async (request, response) => {
    const name = request.url!.slice(1)
    const starting = started.get(name) ?? resources[name]!(closing)
    started.set(name, starting)
    try {
      response.end(JSON.stringify((await starting) ?? null))
    } catch (error) {
      response.writeHead(500).end(String((error as Error).stack))
    }
  })
  const listening = await listenLocally(server)
  process.env[urlVariable] = listening.url
  return {
    async close() {
      await listening.close()
      await Promise.allSettled(started.values())
      await closing.disposeAsync()
    },
  }
}

/** The resource of that name, started where it isn't running yet. Throws an `Error` with the reason if it can't start. */
export async function sharedResource<Value>(name: string): Promise<Value> {
  const request = get(`${process.env[urlVariable]}/${name}`, { agent: false })
  const [response] = await once(request, 'response')
  const body = await text(response)
  if (response.statusCode !== 200) throw new Error(`The shared ${name} did not start: ${body}`)
  return JSON.parse(body)
}
