import { loadMissingStyles } from '../theme/missing-styles.ts'

/** Code with its style. Rejects if one of them can't be loaded; the next call tries again. */
export async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  const module = await load()
  await loadMissingStyles()
  return module
}
