const whole = new Intl.NumberFormat('en-GB')
const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 })

/** 12,345 */
export function formatNumber(number: number): string {
  return whole.format(number)
}

/** 0.1234 as 12.3%; a part of nothing is nothing. */
export function formatShare(part: number, all: number): string {
  return percent.format(all === 0 ? 0 : part / all)
}
