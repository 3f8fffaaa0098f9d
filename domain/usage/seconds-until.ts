/** Whole seconds until a moment, 1 at least: for `Retry-After`. */
export function secondsUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000))
}
