import { setTimeout as wait } from 'node:timers/promises'
import { DomainError } from '../errors.ts'
import { FairQueue } from '../fairness/fair-queue.ts'
import { isRejectedWrite } from './database-error.ts'
import { eachPool } from './each-pool.ts'
import type { StatementPool } from './statement.ts'
import { atPositions, type PositionedRow, type StatementForEach } from './value-arrays.ts'

/** Rows per statement. */
const groupSizeMax = 100

/** Groups under way at a time, for each kind of write; one to three measured alike. Later writes wait for one of them. */
const groupsMax = 2

/** How long others wait for a group, one of whose rows may be locked. */
const groupMsMax = 1_000

export interface Writes<Write, Row extends PositionedRow> {
  /** Writes all with one statement. It returns no row for a write that it has left undone: one of several is repeated alone. */
  write: StatementForEach<Write, Row>
  tenantOf(write: Write): string
  /** Writes of the same key never share a statement. */
  keyOf(write: Write): string
}

/**
 * Writes what is waiting on the same pool with one statement, and so with one commit. A write leaves at the end of the
 * turn of the event loop, with all others of that turn; while two groups are under way, writes wait, and leave together as
 * soon as one of them returns. Nobody waits for a group to fill. The tenants take turns where more wait than fit.
 *
 * A call returns after the commit. When the database rejects a statement, nothing of it is stored, and its writes are
 * repeated alone, so that each caller gets its own row or error. When the outcome is unknown, as when the connection is
 * lost, each caller gets `DATABASE_ERROR`, and nothing is repeated.
 */
export function groupWrites<Write, Row extends PositionedRow>(kind: Writes<Write, Row>) {
  const findGroups = eachPool(pool => new WriteGroups(pool, kind))
  return (pool: StatementPool, write: Write): Promise<Row | undefined> => findGroups(pool).write(write)
}

interface Waiting<Write, Row> {
  write: Write
  resolve(row: Row | undefined): void
  reject(error: unknown): void
}

class WriteGroups<Write, Row extends PositionedRow> {
  readonly #pool: StatementPool
  readonly #kind: Writes<Write, Row>
  readonly #queue = new FairQueue<Waiting<Write, Row>>()
  #underWay = 0
  #isScheduled = false

  constructor(pool: StatementPool, kind: Writes<Write, Row>) {
    this.#pool = pool
    this.#kind = kind
  }

  write(write: Write): Promise<Row | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>()
    this.#queue.add(this.#kind.tenantOf(write), { write, resolve, reject })
    this.#schedule()
    return promise
  }

  #schedule(): void {
    if (this.#isScheduled || this.#underWay >= groupsMax || this.#queue.size === 0) return
    this.#isScheduled = true
    // After the callbacks of all sockets that are ready.
    setImmediate(() => {
      this.#isScheduled = false
      this.#leave()
    })
  }

  #leave(): void {
    while (this.#underWay < groupsMax && this.#queue.size > 0) {
      const group = this.#takeGroup()
      this.#underWay++
      // A row that is locked for long delays the writes of other rows no longer than this.
      const overdue = wait(groupMsMax, undefined, { ref: false })
      void Promise.race([this.#send(group), overdue]).finally(() => {
        this.#underWay--
        this.#schedule()
      })
    }
  }

  /** The tenants take turns. Of writes of the same key the later ones stay. */
  #takeGroup(): Waiting<Write, Row>[] {
    const group = new Map<string, Waiting<Write, Row>>()
    const passedOver: Waiting<Write, Row>[] = []
    while (group.size < groupSizeMax) {
      const waiting = this.#queue.next()
      if (!waiting) break
      const key = this.#kind.keyOf(waiting.write)
      if (group.has(key)) passedOver.push(waiting)
      else group.set(key, waiting)
    }
    for (const waiting of passedOver) this.#queue.putBack(this.#kind.tenantOf(waiting.write), waiting)
    return [...group.values()]
  }

  /** Returns when the statement has. */
  async #send(group: Waiting<Write, Row>[]): Promise<void> {
    const [first] = group
    if (group.length === 1) return await this.#sendAlone(first!)
    try {
      const writes = group.map(({ write }) => write)
      const rows = atPositions(await this.#kind.write(this.#pool, writes), group.length)
      for (const [index, waiting] of group.entries()) {
        const row = rows[index]
        if (row === undefined) void this.#sendAlone(waiting)
        else waiting.resolve(row)
      }
    } catch (error) {
      for (const waiting of group) {
        if (isRejectedWrite(error)) void this.#sendAlone(waiting)
        else waiting.reject(ownError(error))
      }
    }
  }

  async #sendAlone({ write, resolve, reject }: Waiting<Write, Row>): Promise<void> {
    try {
      const [row] = await this.#kind.write(this.#pool, [write])
      resolve(row)
    } catch (error) {
      reject(error)
    }
  }
}

/** An error for one of several callers. */
function ownError(error: unknown): unknown {
  return error instanceof DomainError ? new DomainError(error.code, { cause: error.cause }) : error
}
