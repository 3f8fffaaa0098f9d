const steps = [1, 2, 3, 4, 5, 6, 8, 10]

/** The least round number that the value fits below, and whose half is a whole number. */
export function scaleMax(value: number): number {
  for (let decade = 1; ; decade *= 10) {
    const fit = steps.map(step => step * decade).find(number => number % 2 === 0 && value <= number)
    if (fit !== undefined) return fit
  }
}
