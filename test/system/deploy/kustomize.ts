import { loadAll } from 'js-yaml'
import { findProgram, runProgram } from '../../harness/system-program.ts'

export const kubectl = { isMissing: !findProgram('kubectl'), reason: 'no kubectl on the PATH' }

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
}

/** The manifests that a folder builds. */
export async function runKustomize(folder: string): Promise<Manifest[]> {
  const { stdout } = await runProgram('kubectl', ['kustomize', folder])
  return loadAll(stdout) as Manifest[]
}
