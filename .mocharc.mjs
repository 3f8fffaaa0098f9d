import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The files that take longest come first, so that no worker process ends up alone with one of them. */
const slowFirst = [
  'test/browser/every-page',
  'test/faults/failover',
  'test/faults/upgrade',
  'test/browser/',
  'test/faults/short-run',
  'test/server/readiness',
  'test/server/redis-failover',
  'test/development/demo/',
  'test/faults/',
  'test/clients/packed-client',
  'test/clients/python',
  'test/server/graceful-shutdown',
  'test/server/webhooks/http/deadline',
  'test/server/cluster',
  'test/server/redis-',
  'test/every-',
  'test/server/start',
  'test/rest/start-provider-unavailable',
  'test/domain/verification/verification-write',
  'test/rest/callback-bounds',
  'test/console-api/every-',
  'test/operator/',
  'test/development/',
  'test/domain/database/',
  'test/server/veriff/connection-failures',
  'test/server/pgbouncer',
  'test/server/production-start',
  'test/deploy/',
  'test/server/webhooks/',
]

const rank = file => {
  const found = slowFirst.findIndex(start => file.startsWith(start))
  return found === -1 ? slowFirst.length : found
}

/** Mocha adds `spec` to the files on the command line, so it is set only where none is named. */
const isFilter = option => ['-g', '--grep', '-f', '--fgrep'].includes(option)
const namesFiles = process.argv
  .slice(2)
  .some((argument, index, all) => /(^|\/)test\/|\.test\.ts$/.test(argument) && !isFilter(all[index - 1]))
const allFiles = () => globSync('test/**/*.test.ts').toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))

export default {
  extension: ['ts'],
  require: [
    'test/harness/run/global-setup.ts',
    'test/harness/run/unhandled-rejections.ts',
    'test/harness/run/check-responses.ts',
  ],
  reporter: 'test/harness/run/reporter.ts',
  timeout: 20_000,
  forbidOnly: true,
  parallel: true,
  // One more than cores, because tests wait for processes, timers and deadlines.
  jobs: Math.min(availableParallelism() + 1, 8),
  watchFiles: ['{clients,console-api,development,domain,operator,rest,server,test}/**/*.ts'],
  ...(namesFiles ? {} : { spec: allFiles() }),
}
