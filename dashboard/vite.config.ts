import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  // Placeholder that the server replaces with a fresh nonce in every response; see server/pages/dashboard.
  html: { cspNonce: '__STYLE_NONCE__' },
  plugins: [blockingScript('src/theme/color-scheme.ts')],
  // What JSX calls, in libraries too; the file says why.
  resolve: { alias: { 'react/jsx-runtime': '/src/components/jsx-runtime.ts' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The first that know light-dark() in styles, AbortSignal.any() and popovers. The guide of the dashboard names them too.
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    // The content security policy allows no data: URLs for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // In kB, uncompressed; test/browser/first-page.test.ts limits what is sent.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // "use client", which Mantine's files begin with, is for servers.
      checks: { moduleLevelDirective: false },
      // Each group has what matches and all that it imports: the page that leaves for the sign-in, and the first one, which
      // shares the views with what opens over it. That shares its portals with pages, and comes after the data, like the typeface.
      output: {
        codeSplitting: {
          groups: [
            { name: 'main', test: /src\/main\.ts$/ },
            { name: 'app', test: /src\/(render|verifications\/views)\.tsx?$/ },
            { name: 'portals', test: /react-remove-scroll|\/Portal\/|use-force-update|get-(style-o|default-z)/ },
            { name: 'overlays', test: /src\/shell\/overlays\.tsx$/ },
          ],
        },
      },
    },
  },
})

/**
 * Loads a script before the page is drawn, which gets the files of the application. Vite itself loads modules only, which
 * run later. `data-cfasync` has Cloudflare's Rocket Loader leave a script alone, whose own the policy of the page forbids.
 */
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
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter(output => output.type === 'chunk')
        const script = chunks.find(chunk => chunk.name === name)
        const app = chunks.find(chunk => chunk.name === 'app')
        const preload = [app?.fileName, ...(app?.viteMetadata?.importedCss ?? [])]
        const attrs = {
          'data-cfasync': 'false',
          src: `/dashboard/${script?.fileName}`,
          'data-preload': preload.map(file => `/dashboard/${file}`).join(' '),
        }
        return {
          html: html.replace('<script type="module"', '<script data-cfasync="false" type="module"'),
          tags: [{ tag: 'script', attrs, injectTo: 'head-prepend' }],
        }
      },
    },
  }
}
