import { Refusal } from '../errors.ts'

/** A failed database operation as a refusal: the driver's words stay private. */
export function databaseRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('DATABASE_ERROR', { cause: error })
}
