import typeface from '@fontsource-variable/host-grotesk/files/host-grotesk-latin-wght-normal.woff2'

/*
 * Runs before the page is drawn, as a script that can share no code with others. The first key is that of chosen-scheme.ts; the
 * second is that of sign-in/silent-sign-in.ts: a page that leaves for the sign-in loads no typeface, and the first one after it
 * has its data before (shell/load-overlays.ts).
 */
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
applyScheme()
prefersDark.addEventListener('change', applyScheme)
// Of other tabs, and of this one.
addEventListener('storage', applyScheme)

function applyScheme(): void {
  const chosen = readStored('mantine-color-scheme-value') ?? ''
  const preferred = prefersDark.matches ? 'dark' : 'light'
  document.documentElement.dataset.mantineColorScheme = ['light', 'dark'].includes(chosen) ? chosen : preferred
}

if (readStored('age-verification.signed-in') !== null) {
  preload(typeface, { rel: 'preload', as: 'font', type: 'font/woff2' })
  // The application, which main.ts imports as soon as it runs.
  for (const file of document.currentScript?.dataset.preload?.split(' ') ?? []) {
    preload(file, file.endsWith('.css') ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' })
  }
  document.documentElement.dataset.typeface = 'loaded'
}

/** Null where the browser blocks storage, which main.ts reports. */
function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function preload(href: string, attributes: Partial<HTMLLinkElement>): void {
  document.head.append(Object.assign(document.createElement('link'), { crossOrigin: '', href, ...attributes }))
}
