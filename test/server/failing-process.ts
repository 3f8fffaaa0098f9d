/** A process with an uncaught error: `exception` or `rejection`; with `early` it happens before the service is up. */
import { prepareShutdown } from '#server/start/shutdown.ts'

const [kind, early] = process.argv.slice(2)
const shutdown = prepareShutdown()
if (!early) shutdown.ready(async () => void process.stdout.write('closed\n'), 0)
// Keeps the process alive, as a server would.
setInterval(() => {}, 60_000)
const error = new Error('duplicate key (email)=(ann@example.com)')
if (kind === 'rejection') void Promise.reject(error)
else
  setImmediate(() => {
    throw error
  })
