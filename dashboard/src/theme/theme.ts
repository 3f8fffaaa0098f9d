import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** From text to the darkest background. Mantine's dark greys are warm; these match the surfaces in server/pages/html/tokens.css. */
const coolGreys: MantineColorsTuple = [
  '#c9cdd2',
  '#b8bdc4',
  '#8e959e',
  '#6b727b',
  '#3d4249',
  '#2e3338',
  '#23272b',
  '#1a1d20',
  '#141619',
  '#0e1012',
]

/** The element that tooltips are rendered into: inside the main landmark, and not clipped by an ancestor. */
export const tooltipContainerId = 'tooltips'

const dialogTitle = { fontWeight: 600 }

export const theme = createTheme({
  black: '#1c2024',
  colors: { dark: coolGreys },
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  headings: {
    fontFamily: 'var(--font)',
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    // Shows the focus outlines of buttons inside an alert entirely.
    Alert: { styles: { body: { overflow: 'visible' }, message: { overflow: 'visible' } } },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: dialogTitle },
    },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } }, styles: { title: dialogTitle } },
    // Inside role="dialog", a header element would count as a second banner landmark.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Tooltip: {
      defaultProps: {
        events: { hover: true, focus: true, touch: true },
        withArrow: true,
        multiline: true,
        maw: 320,
        portalProps: { target: `#${tooltipContainerId}` },
      },
    },
    // Keeps a menu inside the landmark of its button.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
  },
})

/** Mantine's default greys, reds and greens miss WCAG's text contrast of 4.5:1; these reach at least 5:1. */
const colors = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-dimmed)',
  '--mantine-color-placeholder': 'light-dark(#6b737c, #8e959e)',
  '--mantine-color-error': 'light-dark(#c92a2a, #ff8787)',
  '--mantine-color-success': 'var(--approved-text)',
  '--mantine-color-anchor': 'light-dark(#364fc7, #91a7ff)',
  '--mantine-color-default-border': 'light-dark(#cfd4da, #3d4249)',
  '--mantine-color-orange-light': 'var(--attention-soft)',
  '--mantine-color-orange-light-color': 'var(--attention-text)',
  '--mantine-color-red-light': 'var(--denied-soft)',
  '--mantine-color-red-light-color': 'var(--denied-text)',
  '--mantine-color-blue-light': 'var(--waiting-soft)',
  '--mantine-color-blue-light-color': 'var(--waiting-text)',
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: colors,
  dark: {
    ...colors,
    '--mantine-color-default': '#1d2024',
    '--mantine-color-default-hover': '#272b30',
  },
})
