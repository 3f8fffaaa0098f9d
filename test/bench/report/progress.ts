import type { WriteStream } from 'node:tty'

export interface Step {
  name: string
  /** The expected duration. */
  seconds: number
}

export interface Progress {
  /** The next step begins. */
  begin(): void
  /** A round of the current step begins, from 1. */
  round(number: number): void
  /** Removes the line from a terminal, for other output. */
  clear(): void
}

/** Below this share of the whole run, the speed of the machine is not known yet. */
const measuredShareMin = 0.05

/** Shows which step runs, its round, and how much time is left: on a terminal in one line that changes. */
export function showProgress(steps: readonly Step[], rounds: number, output: WriteStream): Progress {
  const expected = steps.reduce((sum, { seconds }) => sum + seconds, 0)
  const startedAt = performance.now()
  let current = -1
  const show = (text: string) => {
    const { name } = steps[current]!
    const line = `${current + 1} of ${steps.length}: ${name}, ${text}; about ${timeLeft()} left`
    output.write(output.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
  }
  let done = 0
  function timeLeft(): string {
    const elapsed = (performance.now() - startedAt) / 1000
    const slowness = done / expected < measuredShareMin ? 1 : elapsed / done
    const left = Math.max(0, (expected - done) * slowness)
    return left < 90 ? `${Math.ceil(left / 10) * 10} s` : `${Math.ceil(left / 60)} min`
  }
  const doneBefore = (step: number) => steps.slice(0, step).reduce((sum, { seconds }) => sum + seconds, 0)
  return {
    begin() {
      current += 1
      done = doneBefore(current)
      show('preparing')
    },
    round(number) {
      // Preparations take about as long as a round.
      done = doneBefore(current) + (steps[current]!.seconds * number) / (rounds + 1)
      show(`round ${number} of ${rounds}`)
    },
    clear() {
      if (output.isTTY) output.write('\r\x1b[K')
    },
  }
}
