import type { Role } from './engine.ts'
import type { Send } from './webdriver-session.ts'

export interface Step {
  role: Role
  /** A part of it, in any case, or its pattern. */
  name?: string | RegExp
  /** Of a heading. */
  level?: number
}

/** Which elements can have a role. Whether they have it, and which name, is what the browser itself computes. */
const candidates: Record<Role, string> = {
  alert: '[role=alert]',
  button: 'button, [role=button]',
  combobox: 'select, [role=combobox]',
  dialog: 'dialog, [role=dialog]',
  heading: 'h1, h2, h3',
  link: 'a[href]',
  main: 'main',
  radio: 'input[type=radio]',
  region: 'section, [role=region]',
  table: 'table',
  textbox: 'input, textarea',
}

/** The IDs of the visible elements at the end of the path. */
export async function findAll(send: Send, steps: Step[]): Promise<string[]> {
  let found: string[] = []
  for (const [index, step] of steps.entries()) {
    const parents = index === 0 ? [undefined] : found
    const within = await Promise.all(parents.map(parent => findWithin(send, step, parent)))
    found = [...new Set(within.flat())]
  }
  return found
}

async function findWithin(send: Send, { role, name, level }: Step, parent?: string): Promise<string[]> {
  const selector = level === undefined ? candidates[role] : `h${level}`
  const args = [selector, parent && { [elementKey]: parent }]
  const visible = await send<Record<string, string>[]>('POST', '/execute/sync', { script: findVisible, args })
  const found: string[] = []
  for (const { [elementKey]: id = '' } of visible) {
    if (!hasName(await send<string>('GET', `/element/${id}/computedlabel`), name)) continue
    const actual = await send<string>('GET', `/element/${id}/computedrole`)
    // WebKitGTK names a `select` a button.
    if (actual === role || (role === 'combobox' && actual === 'button')) found.push(id)
  }
  return found
}

/** What WebDriver wraps an element's ID in. */
export const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

const findVisible = `
  const [selector, parent] = arguments
  const isVisible = element =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true]')
  return [...(parent ?? document).querySelectorAll(selector)].filter(isVisible)`

function hasName(actual: string, expected: Step['name']): boolean {
  if (expected === undefined) return true
  if (expected instanceof RegExp) return expected.test(actual)
  return actual.toLowerCase().includes(expected.toLowerCase())
}
