import type { Page } from 'playwright-core'

/**
 * The controls whose focus ring is not entirely visible, because an ancestor cuts it off: in the open dialog if there is
 * one, else on the whole page.
 */
export async function clippedFocusRings(page: Page): Promise<string[]> {
  // Rings are only drawn for users of the keyboard.
  await page.keyboard.press('Shift')
  return await page.evaluate<string[]>(`(${findClipped})()`)
}

const findClipped = `() => {
  const describe = element => element.ariaLabel || element.textContent.trim() || element.outerHTML.slice(0, 100)

  const isClipped = element => {
    const style = getComputedStyle(element)
    if (style.outlineStyle === 'none') return false
    const ring = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset) - 0.5
    const box = element.getBoundingClientRect()
    let position = style.position
    for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
      if (position === 'fixed') return false
      const around = getComputedStyle(parent)
      if (position === 'absolute' && around.position === 'static') continue
      position = around.position
      if (around.display === 'inline') continue
      const { left, top } = parent.getBoundingClientRect()
      const inner = { left: left + parent.clientLeft, top: top + parent.clientTop }
      const isBeside = box.left - ring < inner.left || box.right + ring > inner.left + parent.clientWidth
      const isBeyond = box.top - ring < inner.top || box.bottom + ring > inner.top + parent.clientHeight
      if (around.overflowX !== 'visible' && isBeside) return true
      if (around.overflowY !== 'visible' && isBeyond) return true
    }
    return false
  }

  const root = document.querySelector('[role=dialog]') ?? document
  const controls = root.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')
  const focused = document.activeElement
  const clipped = [...controls].filter(control => {
    control.focus()
    return document.activeElement === control && control.matches(':focus-visible') && isClipped(control)
  })
  focused.focus()
  return clipped.map(describe)
}`
