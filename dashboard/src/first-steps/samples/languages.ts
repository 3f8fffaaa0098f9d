import { curlSamples } from './curl.ts'
import { goSamples } from './go.ts'
import { nodeSamples } from './node.ts'
import { phpSamples } from './php.ts'
import { pythonSamples } from './python.ts'

/** An endpoint of the tenant API. */
export type Call = 'start' | 'status' | 'validate'

export interface Language {
  label: string
  /** Source code by call. It reads `API_KEY`, `VERIFICATION_ID` and `TOKEN` from the environment. */
  samples: (baseUrl: string) => Record<Call, string>
  /** How the source file is run; undefined for commands of a shell. */
  program?: { extension: string; command: string }
}

export type LanguageName = 'curl' | 'node' | 'python' | 'php' | 'go'

/** In the order in which they are offered. */
export const languages: Record<LanguageName, Language> = {
  curl: { label: 'curl', samples: curlSamples },
  node: { label: 'Node', samples: nodeSamples, program: { extension: 'mjs', command: 'node' } },
  python: { label: 'Python', samples: pythonSamples, program: { extension: 'py', command: 'python3' } },
  php: { label: 'PHP', samples: phpSamples, program: { extension: 'php', command: 'php' } },
  go: { label: 'Go', samples: goSamples, program: { extension: 'go', command: 'go run' } },
}
