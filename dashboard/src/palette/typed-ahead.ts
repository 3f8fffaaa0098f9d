/** What was typed since the palette was asked for, while its field can't have it yet. */
let typed: { text: string; isEntered: boolean; since: number } | undefined

/** Whoever waited for so long types into something else. */
const waitMaxMs = 3_000

/** Keeps what is typed from the page, until the field takes it. */
export function startTypingAhead(): void {
  if (typed) return
  typed = { text: '', isEntered: false, since: Date.now() }
  window.addEventListener('keydown', keep, { capture: true })
}

/** Call this when the field has the focus, or when the palette is closed. */
export function takeTypedAhead(): { text: string; isEntered: boolean } {
  window.removeEventListener('keydown', keep, { capture: true })
  const taken = typed ?? { text: '', isEntered: false }
  typed = undefined
  return taken
}

function keep(event: KeyboardEvent): void {
  if (!typed || event.ctrlKey || event.metaKey || event.altKey) return
  if (Date.now() - typed.since > waitMaxMs) {
    takeTypedAhead()
    return
  }
  if (event.key === 'Enter') typed.isEntered = true
  else if (event.key === 'Backspace') typed.text = typed.text.slice(0, -1)
  else if (event.key.length === 1) typed.text += event.key
  else return
  event.preventDefault()
  event.stopImmediatePropagation()
}
