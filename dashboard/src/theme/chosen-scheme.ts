import { useSyncExternalStore } from 'react'
import { store } from '../components/store.ts'

export const schemes = { light: 'Light', dark: 'Dark', auto: 'System' }

export type Scheme = keyof typeof schemes

const key = 'mantine-color-scheme-value'

/** The user's choice, which color-scheme.ts applies: only styles follow it, so that nothing is rendered again. */
export function useChosenScheme(): Scheme {
  return useSyncExternalStore(subscribe, () => {
    const chosen = localStorage.getItem(key) ?? ''
    return chosen in schemes ? (chosen as Scheme) : 'auto'
  })
}

export function chooseScheme(scheme: Scheme): void {
  store(localStorage, key, scheme)
  window.dispatchEvent(new StorageEvent('storage'))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
