import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { scrollsHorizontally } from './accessibility.ts'

/** The page fits windows of these widths in pixels, and breaks no word in them. */
export async function expectToFit(page: Page, widths = [1_280, 1_024, 768, 320, 375]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    expect(await scrollsHorizontally(page), `${width} pixels`).to.equal(false)
    expect(await brokenWords(page), `${width} pixels`).to.deep.equal([])
  }
}

/** The words that are shown on two lines, as in "operat-or" without the hyphen. IDs, names of fields and URLs may be. */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${findBroken})()`)
}

const findBroken = `() => {
  const broken = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    for (const { 0: word, index } of text.data.matchAll(/(?<!\\S)[A-Z]?[a-z]{2,20}(?!\\S)/g)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
    }
  }
  return broken
}`
