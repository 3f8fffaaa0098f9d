import { connectionFaults } from './connections.ts'
import type { Fault } from './fault.ts'
import { networkFaults } from './network.ts'
import { postgresFaults } from './postgres.ts'
import { processFaults } from './processes.ts'
import { surroundingFaults } from './surroundings.ts'

/** What random plans choose from. */
export const allFaults: readonly Fault[] = [
  ...postgresFaults,
  ...connectionFaults,
  ...networkFaults,
  ...processFaults,
  ...surroundingFaults,
]

/** The faults whose names contain one of the texts; all without a text. */
export function faultsNamed(texts: readonly string[]): Fault[] {
  return allFaults.filter(fault => isNamed(fault, texts))
}

export function isNamed({ name }: Pick<Fault, 'name'>, texts: readonly string[]): boolean {
  return texts.length === 0 || texts.some(text => name.includes(text))
}
