import mocha from 'mocha'
import { pendingReason } from '../pending.ts'

const noReason = 'no reason given'

/** Mocha's `spec`, followed by a list of the tests that did not run, with the reasons. */
export default class Reporter extends mocha.reporters.Spec {
  /** Full titles by reason. */
  readonly #pending = new Map<string, string[]>()

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
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
  }
}
