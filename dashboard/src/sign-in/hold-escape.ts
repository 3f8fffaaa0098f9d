/**
 * Keeps Escape from everything on the page while something covers it, which would close it or the dialogs beneath. Call this
 * before the page is rendered: listeners are called in the order in which they were added.
 */
export function holdEscape(isHeld: () => boolean): void {
  const hold = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isHeld()) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', hold, { capture: true })
}
