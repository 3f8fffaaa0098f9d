/** Runs before the page is drawn. The key is where Mantine stores the user's choice. */
const chosen = localStorage.getItem('mantine-color-scheme-value') ?? ''
const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
document.documentElement.dataset.mantineColorScheme = ['light', 'dark'].includes(chosen) ? chosen : preferred

export {}
