import typeface from '@fontsource-variable/host-grotesk/files/host-grotesk-latin-wght-normal.woff2'

/*
 * Runs before the page is drawn, as a script that can share no code with others. The first key is where Mantine stores the
 * user's choice; the second is that of sign-in/sign-in-hint.ts: a page that leaves for the sign-in loads no typeface, and
 * the first one after it has its data before (shell/overlays.tsx).
 */
const chosen = localStorage.getItem('mantine-color-scheme-value') ?? ''
const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
document.documentElement.dataset.mantineColorScheme = ['light', 'dark'].includes(chosen) ? chosen : preferred

if (localStorage.getItem('age-verification.signed-in') !== null) {
  const preload = document.createElement('link')
  Object.assign(preload, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href: typeface })
  document.head.append(preload)
  document.documentElement.dataset.typeface = 'loaded'
}
