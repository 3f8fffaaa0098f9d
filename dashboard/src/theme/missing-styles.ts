/** The style sheets that could not be loaded. They are not requested again with the code that needs them. */
const failed = new Set<HTMLLinkElement>()
let reloading: Promise<unknown> = Promise.resolve()

// The event does not bubble.
document.addEventListener('error', ({ target }) => isStyleSheet(target) && failed.add(target), {
  capture: true,
})

/** Loads the style sheets that could not be loaded before. Rejects if one of them still can't. */
export function loadMissingStyles(): Promise<unknown> {
  reloading = reloading.then(reloadFailed, reloadFailed)
  return reloading
}

function reloadFailed(): Promise<unknown> {
  const links = [...failed]
  failed.clear()
  return Promise.all(links.map(reload))
}

function reload(link: HTMLLinkElement): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const again = link.cloneNode() as HTMLLinkElement
  again.addEventListener('load', resolve)
  again.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${link.href}`)))
  link.replaceWith(again)
  return promise
}

function isStyleSheet(target: EventTarget | null): target is HTMLLinkElement {
  return target instanceof HTMLLinkElement && target.rel === 'stylesheet'
}
