/** The least of 2, 4, 10, 20, 40, 100 … that the value fits below, so that halves are whole numbers. */
export function scaleMax(value: number): number {
  for (let decade = 1; ; decade *= 10) {
    const fit = [2, 4, 10].find(step => value <= step * decade)
    if (fit !== undefined) return fit * decade
  }
}
