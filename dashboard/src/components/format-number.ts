/** That of the page: digits and separators belong to its words. */
export const language = 'en'

const integer = new Intl.NumberFormat(language)
const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })

/** 12345 as `12,345`. */
export function formatNumber(number: number): string {
  return integer.format(number)
}

/** 0.1234 as `12.3%`; `0%` if the total is 0. */
export function formatShare(part: number, total: number): string {
  return percent.format(total === 0 ? 0 : part / total)
}
