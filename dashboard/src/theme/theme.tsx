import {
  type CSSVariablesResolver,
  colorsTuple,
  createTheme,
  type MantineColorScheme,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
  MantineProvider,
} from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { tooltipContainerId } from '../components/page.tsx'

declare global {
  /** Mantine's scroll lock reads the nonce of its style element from here. */
  var __webpack_nonce__: string | undefined
}

export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={appliedScheme}
      cssVariablesResolver={cssVariables}
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  )
}

/** Mantine's components would be rendered again with another theme, of which they need only the styles: see chosen-scheme.ts. */
const appliedScheme: MantineColorSchemeManager = {
  get: () => document.documentElement.dataset.mantineColorScheme as MantineColorScheme,
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
}

/** The nonce of the content security policy for style elements; the server writes it into a meta element. */
function styleNonce(): string {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
  globalThis.__webpack_nonce__ = nonce
  return nonce
}

/** From text to the darkest background. Mantine's dark greys are warm; these match the surfaces in server/pages/html/tokens.css. */
const darkGreys: MantineColorsTuple = [
  '#c5cbc8',
  '#b5bdb9',
  '#8b9591',
  '#68726e',
  '#3a423f',
  '#2b3230',
  '#202625',
  '#191d1c',
  '#121514',
  '#0c0f0e',
]

const dialog = {
  // How they appear is up to mantine.css: Mantine's own motion draws each of them three times.
  transitionProps: { duration: 0 },
  closeButtonProps: { 'aria-label': 'Close' },
  // The second click of a double click does not close what the first one has opened.
  overlayProps: { onClickCapture: (event: MouseEvent) => event.detail > 1 && event.stopPropagation() },
  // The style element that hides the bar restyles the whole page. What is behind a dialog can't be scrolled anyway.
  removeScrollProps: { removeScrollBar: false },
}

/** For 1Password, LastPass and Bitwarden, which don't heed `autocomplete`. */
const noAutofill = { 'data-1p-ignore': true, 'data-lpignore': true, 'data-bwignore': true }

/** Inside the main landmark, and outside of tables, which would clip it. */
const portalProps = { target: `#${tooltipContainerId}` }

const dialogTitle = { fontWeight: 600 }

export const theme = createTheme({
  black: '#1b211f',
  // The accent, as the variables below have it.
  colors: { dark: darkGreys, pine: colorsTuple('#14594c') },
  primaryColor: 'pine',
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Text: { defaultProps: { size: 'sm' } },
    // Keys, IDs and commands are the same in every language.
    Code: { defaultProps: { translate: 'no' } },
    // No field is one of a person's own data: users sign in elsewhere. Password managers look for theirs by name.
    TextInput: { defaultProps: { autoComplete: 'off', ...noAutofill } },
    // Shows the focus outlines of buttons inside an alert entirely.
    Alert: { styles: { body: { overflow: 'visible' }, message: { overflow: 'visible' } } },
    Modal: { defaultProps: { ...dialog, centered: true }, styles: { title: dialogTitle } },
    Drawer: { defaultProps: dialog, styles: { title: dialogTitle } },
    // Inside role="dialog", a header element would count as a second banner landmark.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Tooltip: {
      defaultProps: {
        events: { hover: true, focus: true, touch: true },
        withArrow: true,
        multiline: true,
        maw: 320,
        portalProps,
      },
    },
    Menu: { defaultProps: { position: 'bottom-end', portalProps, withInitialFocusPlaceholder: false } },
  },
})

/** Mantine's default greys, reds and greens miss WCAG's text contrast of 4.5:1; these reach at least 5:1. */
const colors = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-dimmed)',
  '--mantine-color-placeholder': 'light-dark(#68706d, #8b9591)',
  '--mantine-color-error': 'light-dark(#b8301a, #ff8d70)',
  '--mantine-color-success': 'var(--approved-text)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-default-border': 'light-dark(#d3d0c8, #3a423f)',
  '--mantine-color-pine-filled': 'var(--accent)',
  '--mantine-color-pine-filled-hover': 'light-dark(#0e463c, #1a6859)',
  '--mantine-color-pine-light': 'var(--accent-soft)',
  '--mantine-color-pine-light-hover': 'var(--surface-hover)',
  '--mantine-color-pine-light-color': 'var(--accent-text)',
  '--mantine-color-green-filled': 'var(--approved)',
  '--mantine-color-green-light': 'var(--approved-soft)',
  '--mantine-color-green-light-color': 'var(--approved-text)',
  '--mantine-color-orange-light': 'var(--attention-soft)',
  '--mantine-color-orange-light-color': 'var(--attention-text)',
  '--mantine-color-red-filled': 'light-dark(#c2361f, #b8301a)',
  '--mantine-color-red-filled-hover': '#9c2a14',
  '--mantine-color-red-light': 'var(--denied-soft)',
  '--mantine-color-red-light-color': 'var(--denied-text)',
  '--mantine-color-blue-light': 'var(--waiting-soft)',
  '--mantine-color-blue-light-color': 'var(--waiting-text)',
}

const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  // Mantine's own is a cold one.
  light: { ...colors, '--mantine-color-gray-0': 'var(--surface-sunken)' },
  dark: { ...colors, '--mantine-color-default': '#1c2120', '--mantine-color-default-hover': '#262c2a' },
})
