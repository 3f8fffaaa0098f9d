import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  // Placeholder that the server replaces with a fresh nonce in every response; see server/dashboard.
  html: { cspNonce: '__STYLE_NONCE__' },
  plugins: [react(), blockingScript('src/theme/color-scheme.ts'), scrollAreaAlone()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The first that know light-dark() in styles.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy allows no data: URLs for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: chunkOf, debugName: 'first page' }],
        },
      },
    },
  },
})

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[] } | null
}

/**
 * Few and large files: a small one costs more in headers and round trips than it saves. The first script stays alone;
 * then come React, what the first page needs, and what all other pages share.
 */
function chunkOf(id: string, graph: ModuleGraph): string | null {
  if (/preload-helper|color-scheme\.ts/.test(id) || importsOf('main.ts', graph).has(id)) return null
  if (/node_modules\/(react|react-dom|scheduler|react-router)\//.test(id)) return 'framework'
  if (/@mantine\/hooks\/|@tabler\//.test(id) && !laterHooks.test(id)) return 'app'
  if (firstPage.some(file => importsOf(file, graph).has(id))) return 'app'
  if (/src\/(settings|api-keys|audit-log|invitation|tools|billing)\//.test(id)) return 'settings'
  return /node_modules|src\/(components|theme|shell|session|sign-in|palette)\//.test(id) ? 'more' : null
}

const firstPage = ['render.tsx', 'overview/overview-page.tsx']
/** Of dialogs, menus and notifications. */
const laterHooks = /use-(drag|long-press|focus-trap|focus-return)\b/
/** Index files, which import everything that a package has. */
const indexFile = /node_modules\/@(mantine|tabler)\/.*\/(index|tabler-icons-react)\.mjs$/

const imported = new Map<string, Set<string>>()

/**
 * Everything that a file imports, directly and indirectly, but not what it loads later. Of Mantine's components, that
 * is those whose styles are among the first page's.
 */
function importsOf(file: string, graph: ModuleGraph): Set<string> {
  const known = imported.get(file)
  if (known) return known
  const found = new Set([`${import.meta.dirname}/src/${file}`])
  for (const id of found) {
    const all = graph.getModuleInfo(id)?.importedIds ?? []
    for (const other of all) if (!indexFile.test(id) || hasFirstStyles(other, graph)) found.add(other)
  }
  imported.set(file, found)
  return found
}

function hasFirstStyles(id: string, graph: ModuleGraph): boolean {
  const [, part, component] = id.match(/@mantine\/core\/esm\/(core|components)\/(\w+)\//) ?? []
  const styles = graph.getModuleInfo(`${import.meta.dirname}/src/theme/mantine-styles.ts`)?.importedIds ?? []
  return part === 'core' || styles.some(style => style.includes(`/${component}.layer.css`))
}

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
 * Mantine's tables import its scroll area, which takes one small function from the library that positions menus and
 * tooltips. Without that, the first page needs no positioning, which is 20 kB compressed.
 */
function scrollAreaAlone(): Plugin {
  return {
    name: 'scroll-area-alone',
    enforce: 'pre',
    resolveId(source, importer) {
      const isScrollArea = source === '@floating-ui/react' && importer?.endsWith('/ScrollArea/ScrollArea.mjs')
      return isScrollArea ? `${import.meta.dirname}/src/theme/merge-refs.ts` : null
    },
  }
}
