import { readFileSync } from 'node:fs'
import { expect } from 'chai'

const css = readFileSync('server/pages/html/tokens.css', 'utf8')
const color = '#[0-9a-f]{6}'
const tokens = [
  ...css.matchAll(RegExp(`--([a-z-]+): (?:light-dark\\((${color}), (${color})\\)|(${color}));`, 'g')),
]
const themes = {
  light: new Map(tokens.map(([, name, light, , both]) => [name, (light ?? both)!])),
  dark: new Map(tokens.map(([, name, , dark, both]) => [name, (dark ?? both)!])),
}

const states = ['approved', 'denied', 'rejected', 'waiting', 'attention', 'neutral']
const surfaces = ['page', 'surface', 'surface-sunken', 'surface-hover']
const frame = ['frame', 'frame-hover', 'frame-active']
/** What is written or drawn, and what is behind it. */
type Pairs = [front: string, backs: string[]][]

const words: Pairs = [
  ['text', [...surfaces, 'accent-soft', ...states.map(state => `${state}-soft`)]],
  ['text-dimmed', surfaces],
  ['accent-text', [...surfaces, 'accent-soft']],
  ['on-accent', ['accent']],
  ...states.map((state): Pairs[number] => [`${state}-text`, [...surfaces, `${state}-soft`]]),
  ['frame-text', frame],
  ['frame-dimmed', frame],
]

const shapes: Pairs = [
  ...states.map((state): Pairs[number] => [state, [...surfaces, `${state}-soft`]]),
  ['accent', surfaces],
  ['focus', surfaces],
  ['line-strong', ['page', 'surface']],
  ['mark', frame],
]

describe('The colours of all pages', () => {
  for (const [theme, colors] of Object.entries(themes)) {
    it(`have the contrast that WCAG 2.2 AA asks for, in the ${theme} theme`, () => {
      const weak = (pairs: Pairs, least: number) =>
        pairs.flatMap(([front, backs]) =>
          backs
            .map(back => ({ front, back, ratio: contrast(colors.get(front)!, colors.get(back)!) }))
            .filter(({ ratio }) => !(ratio >= least)),
        )
      expect(weak(words, 4.5), 'words').to.deep.equal([])
      expect(weak(shapes, 3), 'shapes').to.deep.equal([])
    })
  }
})

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter! + 0.05) / (darker! + 0.05)
}

/** Relative luminance, as WCAG defines it. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
