import type { CSSVariablesResolver } from '@mantine/core'

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
