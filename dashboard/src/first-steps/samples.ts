/** The sample programs of docs/samples by their file names. They read their settings from the environment. */
const files: Record<string, string> = import.meta.glob(
  '../../../docs/samples/{start,status,validate}.{sh,mjs,py,php,go}',
  { query: '?raw', import: 'default', eager: true },
)

/** An endpoint of the tenant API. */
export type Call = 'start' | 'status' | 'validate'

/** In the order in which they are offered. */
export const languages = [
  { name: 'curl', label: 'curl', extension: 'sh', command: 'sh' },
  { name: 'node', label: 'Node', extension: 'mjs', command: 'node' },
  { name: 'python', label: 'Python', extension: 'py', command: 'python3' },
  { name: 'php', label: 'PHP', extension: 'php', command: 'php' },
  { name: 'go', label: 'Go', extension: 'go', command: 'go run' },
]

export function sampleCode(fileName: string): string {
  return files[`../../../docs/samples/${fileName}`]!
}
