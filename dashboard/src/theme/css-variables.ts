import type { CSSVariablesResolver } from '@mantine/core'

/** Backgrounds of alerts, the same as those of badges; see tokens.css. */
const alertBackgrounds = {
  '--mantine-color-orange-light': 'var(--attention-soft)',
  '--mantine-color-red-light': 'var(--denied-soft)',
  '--mantine-color-blue-light': 'var(--waiting-soft)',
}

/** Mantine's default greys, reds and greens miss WCAG's text contrast of 4.5:1; these reach at least 5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#1c2024',
    '--mantine-color-dimmed': '#5a626b',
    '--mantine-color-placeholder': '#6b737c',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-success': 'var(--approved-text)',
    '--mantine-color-anchor': '#364fc7',
    '--mantine-color-default-border': '#cfd4da',
    '--mantine-color-body': '#ffffff',
    ...alertBackgrounds,
    '--mantine-color-orange-light-color': '#8a4500',
    '--mantine-color-red-light-color': '#a61e1e',
    '--mantine-color-blue-light-color': '#145a9c',
  },
  dark: {
    '--mantine-color-text': '#e3e5e8',
    '--mantine-color-dimmed': '#a3a9b1',
    '--mantine-color-placeholder': '#8e959e',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-success': 'var(--approved-text)',
    '--mantine-color-anchor': '#91a7ff',
    '--mantine-color-default-border': '#3d4249',
    '--mantine-color-body': '#141619',
    '--mantine-color-default': '#1d2024',
    '--mantine-color-default-hover': '#272b30',
    ...alertBackgrounds,
    '--mantine-color-orange-light-color': '#ffc078',
    '--mantine-color-red-light-color': '#ffa8a8',
    '--mantine-color-blue-light-color': '#a5d8ff',
  },
})
