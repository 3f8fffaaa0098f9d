import { join } from 'node:path'
import { findProgram, type Requirement, runProgram } from '../../harness/system-program.ts'

/** The one program for a language without a client. */
export interface LanguageProgram {
  label: string
  requirement: Requirement
  /** The file that runs it with the test vectors, in `vectors`. */
  vectors: string
  /** Compiles it with its vectors, in a folder with both files. Returns its command, which a subcommand follows. */
  prepare(folder: string): Promise<readonly string[]>
}

const [go, php, ruby, java, javac] = ['go', 'php', 'ruby', 'java', 'javac'].map(findProgram)

export const languagePrograms: LanguageProgram[] = [
  {
    label: 'Go',
    requirement: { isMissing: !go, reason: 'no go' },
    vectors: 'vectors.go',
    async prepare(folder) {
      const { PATH = '', HOME = '' } = process.env
      const options = { cwd: folder, env: { PATH, HOME } }
      await runProgram(go!, ['build', '-o', 'age_verification', 'age_verification.go', 'vectors.go'], options)
      return [join(folder, 'age_verification')]
    },
  },
  {
    label: 'PHP',
    requirement: { isMissing: !php, reason: 'no php' },
    vectors: 'vectors.php',
    prepare: async folder => [php!, join(folder, 'vectors.php')],
  },
  {
    label: 'Ruby',
    requirement: { isMissing: !ruby, reason: 'no ruby' },
    vectors: 'vectors.rb',
    prepare: async folder => [ruby!, join(folder, 'vectors.rb')],
  },
  {
    label: 'Java',
    requirement: { isMissing: !java || !javac, reason: 'no java with javac' },
    vectors: 'Vectors.java',
    async prepare(folder) {
      const files = ['AgeVerification.java', 'Vectors.java']
      await runProgram(javac!, ['-Xlint:all,-serial', '-Werror', ...files], { cwd: folder })
      return [java!, '-cp', folder, 'Vectors']
    },
  },
]

/** What is made ready before the tests of the surrounding suite, such as a compiled program. */
export function usePrepared<Prepared>(prepare: () => Promise<Prepared>): () => Prepared {
  let prepared: Prepared
  before('compile it', async () => {
    prepared = await prepare()
  })
  return () => prepared
}
