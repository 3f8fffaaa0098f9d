import { expect } from 'chai'
import { ConfigError } from '#server/configuration/config.ts'

/** The lines of the error with which the environment is rejected; none where it is accepted. */
export function findConfigErrors(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError)
    return (error as ConfigError).message.split('\n')
  }
}
