import type { Page } from 'playwright-core'

/**
 * How browsers and extensions change the texts of a page, and those that follow. Chrome and Edge put each into two elements
 * of their own (`font`); Firefox writes into the text's node, and appends all children of its parent again; extensions add
 * an element beside it.
 */
const ways = {
  translateAsChrome: `text => {
    const font = document.createElement('font')
    font.append(document.createElement('font'))
    font.firstChild.append(mark(text.data))
    text.replaceWith(font)
  }`,
  translateAsFirefox: `text => {
    text.data = mark(text.data)
    text.parentNode.append(...text.parentNode.childNodes)
  }`,
  addElements: `text => {
    text.data = mark(text.data)
    text.after(document.createElement('extension-icon'))
    text.before(document.createElement('extension-icon'))
  }`,
}

export type Way = keyof typeof ways

/** Changes all texts of the page as soon as they are shown, also after it is loaded again. */
export async function changeTexts(page: Page, way: Way): Promise<void> {
  await page.addInitScript(`(${begin})(${ways[way]})`)
}

/** Marked words are those of another language. */
const begin = `change => {
  globalThis.mark = text => '⟦' + text + '⟧'
  globalThis.heldTexts = []
  const untouched = 'script, style, textarea, [translate=no]'
  const isHeldByReact = node => Object.keys(node).some(key => key.startsWith('__reactFiber'))
  const visit = node => {
    if (node.nodeType !== Node.TEXT_NODE) return node.childNodes.forEach(visit)
    if (isHeldByReact(node)) heldTexts.push(node.data)
    const isLeft = !node.parentElement || node.parentElement.closest(untouched)
    if (!isLeft && node.data.trim() && !node.data.startsWith('⟦')) change(node)
  }
  new MutationObserver(records => {
    for (const { target, addedNodes, type } of records) {
      if (type === 'characterData') visit(target)
      else addedNodes.forEach(visit)
    }
  }).observe(document, { childList: true, characterData: true, subtree: true })
}`

/** The texts whose nodes React holds, and would change or remove without those of the translation. */
export function textsHeldByReact(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('heldTexts')
}

/** The texts of React's elements that are shown with other words. */
export function staleTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${findStale})()`)
}

const findStale = `() => [...document.querySelectorAll('body *')].flatMap(element => {
  const key = Object.keys(element).find(name => name.startsWith('__reactProps'))
  const text = key && element[key].children
  if (typeof text !== 'string' && typeof text !== 'number') return []
  const shown = element.textContent.replaceAll(/[⟦⟧]/g, '')
  return shown === String(text) ? [] : [shown + ' instead of ' + text]
})`
