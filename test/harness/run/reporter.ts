import mocha from 'mocha'
import { pendingReason } from '../pending.ts'
import { takeDeclaredCount } from './declared-tests.ts'
import { seed } from './seed.ts'

const noReason = 'no reason given'

/**
 * Mocha's `spec`, after a line that says what the suite needs, followed by the tests that did not run, with the reasons. Those
 * that a failed hook dropped fail the run, and are counted as such.
 */
export default class Reporter extends mocha.reporters.Spec {
  /** Full titles by reason. */
  readonly #pending = new Map<string, string[]>()
  /** Passed, failed or pending. */
  #finished = 0
  #dropped = 0
  readonly #isSelection: boolean

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
    console.log(`  Needs ${options.reporterOptions.needs}.`)
    this.#isSelection = options.grep !== undefined || options.fgrep !== undefined
    runner.on('test end', () => {
      this.#finished += 1
    })
    runner.on('pending', test => {
      const title = test.fullTitle()
      const reason = pendingReason(title) ?? noReason
      this.#pending.set(reason, [...(this.#pending.get(reason) ?? []), title])
    })
  }

  override epilogue(): void {
    super.epilogue()
    for (const [reason, titles] of this.#pending) {
      console.log(`  Not run, ${titles.length} of them: ${reason}`)
      const listed = reason === noReason ? titles : []
      for (const title of listed) console.log(`    ${title}`)
    }
    if (this.#pending.size > 0) console.log()
    const declared = takeDeclaredCount()
    this.#dropped = this.#isSelection ? 0 : declared - this.#finished
    if (this.#dropped !== 0)
      console.log(
        `  ${declared} tests are declared, ${this.#finished} finished: a failed hook drops those behind it\n`,
      )
    if (this.stats.failures > 0) console.log(`  Random values began with TEST_SEED=${seed}\n`)
  }

  /** Mocha's exit code follows from the number. */
  override done(failures: number, end: (failures: number) => void): void {
    end(failures + Math.abs(this.#dropped))
  }
}
