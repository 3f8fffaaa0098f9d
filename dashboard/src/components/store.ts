/** Keeps a text in the browser, for what can be done without it. Returns false where the storage is full. */
export function store(storage: Storage, key: string, text: string): boolean {
  try {
    storage.setItem(key, text)
    return true
  } catch {
    return false
  }
}
