import type { Page } from 'playwright-core'

/**
 * Fills fields and selects one after the other, as quickly as keys on a busy machine: the page is not drawn in between.
 * Each has its name and its value, or the label of an option. Resolves with the query of the URL after the last one.
 */
export async function chooseUndrawn(
  page: Page,
  choices: [name: string, value: string][],
): Promise<URLSearchParams> {
  const search = await page.evaluate(`(async () => {
    for (const [name, value] of ${JSON.stringify(choices)}) {
      const field = [...document.querySelectorAll('input, select')].find(
        ({ ariaLabel, labels }) => (ariaLabel ?? labels[0]?.textContent) === name,
      )
      const chosen = [...(field.options ?? [])].find(option => option.textContent === value)?.value ?? value
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, chosen)
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
      await Promise.resolve()
    }
    return location.search
  })()`)
  return new URLSearchParams(String(search))
}
