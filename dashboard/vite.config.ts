import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  // The server writes a fresh nonce over this word in every response; see server/dashboard.
  html: { cspNonce: '__STYLE_NONCE__' },
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The policy allows no data: scripts or styles; small images stay files too.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
