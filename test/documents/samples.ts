import { readFileSync } from 'node:fs'

interface Sample {
  language: string
  /** A file name; `run` for shell commands that are run in order; empty for what is only read. */
  name: string
  code: string
}

/** The code blocks of a document. */
export function samplesOf(file: string): Sample[] {
  const blocks = readFileSync(file, 'utf8').matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)
  return [...blocks].map(([, language = '', name = '', code = '']) => ({ language, name, code }))
}

/** The sample that a document gives as a file. */
export function sampleFile(file: string, name: string): string {
  const sample = samplesOf(file).find(sample => sample.name === name)
  if (!sample) throw new Error(`${file} has no sample ${name}`)
  return sample.code
}

/** The shell commands of a document that are run, in its order. */
export function shellScript(file: string): string {
  const commands = samplesOf(file).filter(({ language, name }) => language === 'sh' && name === 'run')
  if (commands.length === 0) throw new Error(`${file} has no commands to run`)
  return commands.map(({ code }) => code).join('\n')
}
