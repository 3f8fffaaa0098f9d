import { useMergedRef } from '@mantine/hooks'
import type { Ref } from 'react'

/** In place of the function of @floating-ui/react that Mantine's scroll area takes; see vite.config.ts. */
export function useMergeRefs<Instance>(refs: Ref<Instance>[]) {
  return useMergedRef(...refs)
}
