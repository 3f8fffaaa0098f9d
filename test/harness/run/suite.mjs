import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** What the default suite leaves to the others. */
const others = ['test/browser/**', 'test/system/**']

/**
 * Mocha's options for a suite: the test files of `folder`, or all that are in no other suite. The files of `slowFirst` begin
 * first, so that no worker process ends up alone with one of them. `needs`: the programs beside Node that its tests run.
 */
export function suite({ folder, needs, slowFirst = [], timeout = 20_000 }) {
  return {
    extension: ['ts'],
    require: [
      'test/harness/run/global-setup.ts',
      'test/harness/run/declared-tests.ts',
      'test/harness/run/seed.ts',
      'test/harness/run/scale-timeouts.ts',
      'test/harness/run/unhandled-rejections.ts',
      'test/harness/run/check-responses.ts',
      // The other suites have their databases in other processes, or start them themselves.
      ...(folder ? [] : ['test/harness/run/check-queries.ts']),
    ],
    reporter: 'test/harness/run/reporter.ts',
    reporterOption: { needs },
    timeout,
    forbidOnly: true,
    parallel: true,
    // One more than cores, because tests wait for processes, timers and deadlines.
    jobs: Math.min(availableParallelism() + 1, 8),
    watchFiles: ['{clients,console-api,development,domain,operator,rest,server,test}/**/*.ts'],
    // Mocha adds `spec` to the files on the command line.
    ...(namesFiles() ? {} : { spec: testFiles(folder).toSorted(bySlowness(slowFirst)) }),
  }
}

function testFiles(folder) {
  return folder ? globSync(`${folder}/**/*.test.ts`) : globSync('test/**/*.test.ts', { exclude: others })
}

function bySlowness(slowFirst) {
  const rank = file => {
    const found = slowFirst.findIndex(start => file.startsWith(start))
    return found === -1 ? slowFirst.length : found
  }
  return (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)
}

/** Whether the command line names test files or folders. */
function namesFiles() {
  const isFilter = option => ['-g', '--grep', '-f', '--fgrep'].includes(option)
  return process.argv
    .slice(2)
    .filter((argument, index, all) => !argument.endsWith('mocharc.mjs') && !isFilter(all[index - 1]))
    .some(argument => /(^|\/)test\/|\.test\.ts$/.test(argument))
}
