/** A process with a fault that nothing catches: `exception` or `rejection`, and `early` for one that is not up yet. */
import { prepareProcessEnd } from '#server/process-end.ts'

const [fault, early] = process.argv.slice(2)
const end = prepareProcessEnd()
if (!early) end.ready(async () => void process.stdout.write('closed in order\n'))
// Something goes on, as a server does.
setInterval(() => {}, 60_000)
const error = new Error('duplicate key (email)=(ann@example.com)')
if (fault === 'rejection') void Promise.reject(error)
else
  setImmediate(() => {
    throw error
  })
