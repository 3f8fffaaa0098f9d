import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const latin = import.meta.resolve(
  '@fontsource-variable/host-grotesk/files/host-grotesk-latin-wght-normal.woff2',
)

/** Inside the style sheet, 27 kB: no page is drawn without it, and none needs another file. */
const fontFace = `@font-face {
  font-family: "Host Grotesk";
  font-weight: 300 800;
  src: url(data:font/woff2;base64,${readFileSync(fileURLToPath(latin), 'base64')}) format("woff2");
}`

/** Light and dark colours and typography: the start of every page's style sheet. */
export const theme = [
  fontFace,
  ...['tokens.css', 'theme.css'].map(file => readFileSync(join(import.meta.dirname, file), 'utf8')),
].join('\n')
