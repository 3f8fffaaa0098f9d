import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findProgram, type Requirement, runProgram } from '../../harness/system-program.ts'

/** The one program for a language without a client. */
export interface LanguageProgram {
  label: string
  /** In `docs/samples`. */
  file: string
  requirement: Requirement
  /** The file that runs it with the test vectors, in `vectors`. */
  vectors: string
  /** Compiles it, in a folder with its file. Returns its command, which a subcommand follows. */
  prepare(folder: string, withVectors?: boolean): Promise<readonly string[]>
}

const [go, php, ruby, java, javac] = ['go', 'php', 'ruby', 'java', 'javac'].map(findProgram)

export const languagePrograms: LanguageProgram[] = [
  {
    label: 'Go',
    file: 'age_verification.go',
    requirement: { isMissing: !go, reason: 'no go' },
    vectors: 'vectors.go',
    async prepare(folder, withVectors) {
      const { PATH = '', HOME = '' } = process.env
      const files = ['age_verification.go', ...(withVectors ? ['vectors.go'] : [])]
      const options = { cwd: folder, env: { PATH, HOME } }
      await runProgram(go!, ['build', '-o', 'age_verification', ...files], options)
      return [join(folder, 'age_verification')]
    },
  },
  {
    label: 'PHP',
    file: 'age_verification.php',
    requirement: { isMissing: !runs(php, '-r', 'curl_version();'), reason: 'no php with its curl extension' },
    vectors: 'vectors.php',
    prepare: async (folder, withVectors) => [
      php!,
      join(folder, withVectors ? 'vectors.php' : 'age_verification.php'),
    ],
  },
  {
    label: 'Ruby',
    file: 'age_verification.rb',
    requirement: { isMissing: !runs(ruby, '-e', 'require "puma"'), reason: 'no ruby with puma' },
    vectors: 'vectors.rb',
    prepare: async (folder, withVectors) => [
      ruby!,
      join(folder, withVectors ? 'vectors.rb' : 'age_verification.rb'),
    ],
  },
  {
    label: 'Java',
    file: 'AgeVerification.java',
    requirement: { isMissing: !java || !javac, reason: 'no java with javac' },
    vectors: 'Vectors.java',
    async prepare(folder, withVectors) {
      const files = ['AgeVerification.java', ...(withVectors ? ['Vectors.java'] : [])]
      await runProgram(javac!, ['-Xlint:all,-serial', '-Werror', ...files], { cwd: folder })
      return [java!, '-cp', folder, withVectors ? 'Vectors' : 'AgeVerification']
    },
  },
]

function runs(program: string | undefined, ...args: string[]): boolean {
  return program !== undefined && spawnSync(program, args).status === 0
}

/** What is made ready before the tests of the surrounding suite, such as a compiled program. */
export function usePrepared<Prepared>(prepare: () => Promise<Prepared>): () => Prepared {
  let prepared: Prepared
  before('compile it', async () => {
    prepared = await prepare()
  })
  return () => prepared
}
