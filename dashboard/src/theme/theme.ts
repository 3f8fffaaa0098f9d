import { createTheme } from '@mantine/core'

const systemFonts =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif'
const systemMonospace = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace'

/** A tooltip that only a mouse can open is one that a keyboard user never reads. */
const allPointers = { hover: true, focus: true, touch: true }

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  fontFamily: systemFonts,
  fontFamilyMonospace: systemMonospace,
  headings: {
    fontFamily: systemFonts,
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
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { withArrow: true, multiline: true, maw: 320, events: allPointers } },
  },
})
