import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../random.ts'

/** Waits for a random time, in milliseconds. */
export async function pause(random: Random, lowest: number, highest: number): Promise<void> {
  await wait(random.between(lowest, highest))
}
