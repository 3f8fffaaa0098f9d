export function describeTime(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 2 * 3_600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}
