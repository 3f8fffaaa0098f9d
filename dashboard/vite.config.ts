import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  // Placeholder that the server replaces with a fresh nonce in every response; see server/dashboard.
  html: { cspNonce: '__STYLE_NONCE__' },
  plugins: [react(), blockingScript('src/theme/color-scheme.ts')],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The first that know light-dark() in styles.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy allows no data: URLs for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})

/** Loads a script before the page is drawn. Vite itself loads modules only, which run later. */
function blockingScript(id: string): Plugin {
  const name = 'color-scheme'
  return {
    name: 'blocking-script',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id, name })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const script = Object.values(bundle).find(({ name: built }) => built === name)
        return [{ tag: 'script', attrs: { src: `/dashboard/${script?.fileName}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}
