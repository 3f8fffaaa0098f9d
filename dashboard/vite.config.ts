import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  // Placeholder that the server replaces with a fresh nonce in every response; see server/pages/dashboard.
  html: { cspNonce: '__STYLE_NONCE__' },
  plugins: [blockingScript('src/theme/color-scheme.ts'), withoutTableScrollArea()],
  // React's API is Preact's here; TypeScript checks against React's types.
  resolve: {
    alias: [
      { find: /^react(-dom)?$/, replacement: `${import.meta.dirname}/src/react.tsx` },
      { find: 'react-dom/client', replacement: 'preact/compat/client' },
      { find: /^react\/(jsx-(dev-)?runtime)$/, replacement: 'preact/$1' },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The first that know light-dark() in styles and AbortSignal.any(). The guide of the dashboard names them too.
    target: ['chrome123', 'edge123', 'firefox124', 'safari17.5'],
    // The content security policy allows no data: URLs for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // "use client", which Mantine's files begin with, is for servers.
      checks: { moduleLevelDirective: false },
      // Each group has what matches and all that it imports. Without the first two, the first page is 152 kB compressed in
      // 75 files instead of 121 kB in 7; without the third, which is what other pages share, there are 85 files, not 36.
      output: {
        codeSplitting: {
          groups: [
            { name: 'main', test: /src\/main\.ts$/ },
            { name: 'app', test: /src\/render\.tsx$/ },
            { name: 'more', minShareCount: 2 },
          ],
        },
      },
    },
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

/**
 * Leaves out the scroll area of Mantine's tables, which the dashboard doesn't use: it takes 5 kB compressed, and 20 kB more
 * with the library that positions menus and tooltips.
 */
function withoutTableScrollArea(): Plugin {
  const empty = '\0scroll-area'
  return {
    name: 'without-table-scroll-area',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      return importer?.endsWith('/TableScrollContainer.mjs') && source.endsWith('/ScrollArea.mjs')
        ? empty
        : null
    },
    load(id) {
      return id === empty ? 'export const ScrollArea = undefined' : null
    },
  }
}
