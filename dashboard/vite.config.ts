import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  // Placeholder that the server replaces with a fresh nonce in every response; see server/dashboard.
  html: { cspNonce: '__STYLE_NONCE__' },
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy allows no data: URLs for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
