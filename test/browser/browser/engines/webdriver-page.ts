import { eventually } from '../../../harness/eventually.ts'
import type { EngineLocator, EnginePage, Key } from './engine.ts'
import { elementKey, findAll, type Step } from './webdriver-find.ts'
import type { Send } from './webdriver-session.ts'

const timeoutMs = 20_000

/** How WebDriver writes them. See https://www.w3.org/TR/webdriver2/#keyboard-actions. */
const keys: Record<Key, string> = {
  Enter: '\uE007',
  Escape: '\uE00C',
  'Control+A': '\uE009a',
  'Control+V': '\uE009v',
}

/** A page over WebDriver, as Playwright has it. */
export function openPage(send: Send): EnginePage {
  return {
    goto: url => send('POST', '/url', { url }),
    reload: () => send('POST', '/refresh'),
    goBack: () => send('POST', '/back'),
    evaluate: expression => send('POST', '/execute/sync', { script: `return ${expression}`, args: [] }),
    keyboard: { press: key => pressKey(send, key) },
    getByRole: (role, options) => createLocator(send, [{ role, ...options }]),
  }
}

function createLocator(send: Send, steps: Step[]): EngineLocator {
  /** Repeats what an element that is covered, moving or gone doesn't take. */
  const command = <Value>(method: 'GET' | 'POST', path: string, body?: object) =>
    eventually(async () => send<Value>(method, `/element/${await findOne(send, steps)}${path}`, body), {
      until: () => true,
      timeoutMs,
    })
  return {
    getByRole: (role, options) => createLocator(send, [...steps, { role, ...options }]),
    click: () => eventually(() => click(send, steps), { until: () => true, timeoutMs }),
    pressSequentially: text => command('POST', '/value', { text }),
    press: key => command('POST', '/value', { text: keys[key] }),
    async selectOption(label) {
      // Options that are not shown have no role.
      const path = { using: 'xpath', value: `.//option[.="${label}"]` }
      const option = await command<Record<string, string>>('POST', '/element', path)
      await send('POST', `/element/${option[elementKey]}/click`)
    },
    inputValue: () => command('GET', '/property/value'),
    textContent: () => command('GET', '/property/textContent'),
    async waitFor({ state } = { state: 'visible' }) {
      const count = state === 'visible' ? 1 : 0
      await eventually(() => findAll(send, steps), { until: found => found.length === count, timeoutMs })
    },
  }
}

async function findOne(send: Send, steps: Step[]): Promise<string> {
  const [first, ...others] = await findAll(send, steps)
  if (first !== undefined && others.length === 0) return first
  const path = steps.map(({ role, name = '' }) => `${role} ${name}`).join(' > ')
  throw new Error(`${first ? others.length + 1 : 0} elements: ${path}`)
}

/** Where the element is once it rests. The driver clicks where it was, and says nothing if it is there no longer: this throws. */
async function click(send: Send, steps: Step[]): Promise<void> {
  const element = await findOne(send, steps)
  await send('POST', '/execute/async', { script: untilAtRest, args: [{ [elementKey]: element }] })
  await send('POST', `/element/${element}/click`)
  const hasMissed = await send('POST', '/execute/sync', {
    script: 'return globalThis.hasMissed === true',
    args: [],
  })
  if (hasMissed) throw new Error('The click went to another element.')
}

const untilAtRest = `
  const [element, done] = arguments
  const place = () => JSON.stringify(element.getBoundingClientRect())
  const compare = earlier => (place() === earlier ? atRest() : next())
  const atRest = () => {
    globalThis.hasMissed = true
    const note = event => (globalThis.hasMissed = !event.composedPath().includes(element))
    addEventListener('click', note, { capture: true, once: true })
    done()
  }
  const next = (earlier = place()) => requestAnimationFrame(() => requestAnimationFrame(() => compare(earlier)))
  next()`

async function pressKey(send: Send, key: Key): Promise<void> {
  const values = [...keys[key]]
  const pressed = values.map(value => ({ type: 'keyDown', value }))
  const released = values.toReversed().map(value => ({ type: 'keyUp', value }))
  const actions = [...pressed, ...released]
  await send('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
}
