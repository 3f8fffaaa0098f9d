import { operateInProcess } from '../../operator/operate.ts'
import type { Run } from '../run.ts'

/** Runs a command of the operator. Throws an `Error` with what it prints if it fails. */
export async function operate({ system }: Run, ...command: string[]): Promise<void> {
  const { code, err } = await operateInProcess(system.operatorEnv, [...command, '--json'])
  if (code !== 0) throw new Error(`operator ${command.join(' ')}: ${err}`)
}
