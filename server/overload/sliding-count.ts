export interface SlidingCount {
  add(): void
  /** Ends the current step. Returns the count of the last steps, this one included. */
  endStep(): number
}

/** Counts what happens in the last so many steps. */
export function slidingCount(steps: number): SlidingCount {
  let counts = [0]
  return {
    add() {
      counts[0]! += 1
    },
    endStep() {
      const sum = counts.reduce((total, count) => total + count)
      counts = [0, ...counts.slice(0, steps - 1)]
      return sum
    },
  }
}
