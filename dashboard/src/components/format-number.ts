/** That of the page: digits and separators belong to its words. */
export const language = 'en'

const integer = new Intl.NumberFormat(language)
const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
const tenths = new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: 1 })

/** 12345 as `12,345`. */
export function formatNumber(number: number): string {
  return integer.format(number)
}

/** 0.1234 as `12.3%`; `0%` if the total is 0. */
export function formatShare(part: number, total: number): string {
  return percent.format(total === 0 ? 0 : part / total)
}

/** 0.5 as `50.0%`: rates that are compared have as many decimals. */
export const formatRate = (rate: number) => tenths.format(rate)

/** Of a column, whose decimals are below each other: 0.2 as `20.0%`, but none as `0%` and all as `100%`. */
export function formatPart(part: number, total: number): string {
  return part === 0 || part === total ? formatShare(part, total) : tenths.format(part / total)
}

const units = [
  { seconds: 86_400, name: 'd' },
  { seconds: 3_600, name: 'h' },
  { seconds: 60, name: 'min' },
  { seconds: 1, name: 's' },
]

/** In the two largest units: 95 as "1 min 35 s", 7,200 as "2 h". */
export function formatDuration(seconds: number): string {
  let rest = Math.round(seconds)
  const parts = units.map(unit => {
    const count = Math.floor(rest / unit.seconds)
    rest -= count * unit.seconds
    return { count, name: unit.name }
  })
  const first = parts.findIndex(({ count }) => count > 0)
  const shown = first === -1 ? parts.slice(-1) : parts.slice(first, first + 2).filter(({ count }) => count > 0)
  return shown.map(({ count, name }) => `${count}\u00a0${name}`).join(' ')
}
