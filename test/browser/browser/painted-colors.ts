import type { Locator } from 'playwright-core'

/** What is painted of an element: the colours of its background, border, outline or shape. */
export interface Painted {
  name: string
  /** Those with a contrast of at least 3:1 to what is behind the element, which WCAG asks for. */
  visible: string[]
}

/** What the user sees of each element, besides its text. */
export async function paintedColors(elements: Locator): Promise<Painted[]> {
  await elements.first().waitFor()
  await elements.evaluateAll(found => void Object.assign(globalThis, { found }))
  return await elements.page().evaluate<Painted[]>(`(${findPainted})(found)`)
}

const findPainted = `elements => {
  const numbersOf = color => (color.match(/[\\d.]+/g) ?? []).map(Number)
  const isOpaque = ([, , , alpha = 1]) => alpha > 0.5
  const luminanceOf = color => {
    const [red, green, blue] = numbersOf(color).map(value => ((value / 255 + 0.055) / 1.055) ** 2.4)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (one, other) => {
    const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
    return (lighter + 0.05) / (darker + 0.05)
  }
  const isVisible = color => color.startsWith('rgb') && isOpaque(numbersOf(color))
  const behind = element => {
    for (let each = element.parentElement; each; each = each.parentElement) {
      const { backgroundColor } = getComputedStyle(each)
      if (isVisible(backgroundColor)) return backgroundColor
    }
    return matchMedia('(prefers-color-scheme: dark)').matches ? 'rgb(0, 0, 0)' : 'rgb(255, 255, 255)'
  }
  const painted = element => {
    const style = getComputedStyle(element)
    if (element instanceof SVGElement) return [style.fill, style.stroke]
    const isDrawn = side => style[side + 'Style'] !== 'none' && parseFloat(style[side + 'Width']) > 0
    const sides = ['borderTop', 'borderBottom', 'outline'].filter(isDrawn)
    return [style.backgroundColor, ...sides.map(side => style[side + 'Color'])]
  }
  return elements.map(element => ({
    name: element.getAttribute('aria-label') ?? element.getAttribute('class') ?? element.tagName,
    visible: painted(element).filter(color => isVisible(color) && contrast(color, behind(element)) >= 3),
  }))
}`
