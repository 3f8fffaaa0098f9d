/**
 * Keeps Escape from everything while a dialog covers the page: it would close that dialog or those beneath. Call this
 * before the page is rendered, as listeners are called in the order in which they were added.
 */
export function holdEscape(isHeld: () => boolean): void {
  const hold = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isHeld()) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', hold, { capture: true })
}
