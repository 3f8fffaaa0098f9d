export interface Question {
  question: number
}

export interface Answer<Value> extends Question {
  value: Value
}

export interface Requester<Value> {
  /** Rejects when no answer comes in time. */
  ask(): Promise<Value>
  /** Takes an answer from the other process. One that comes too late goes nowhere. */
  settle(answer: Answer<Value>): void
}

/** Asks another process, whose answers come by message, each with the number of its question. */
export function createRequester<Value>(
  send: (question: Question) => void,
  answerMsMax: number,
): Requester<Value> {
  const open = new Map<number, (value: Value) => void>()
  let asked = 0
  return {
    async ask() {
      const question = asked++
      const { promise, resolve, reject } = Promise.withResolvers<Value>()
      const late = setTimeout(
        () => reject(new Error(`no answer within ${answerMsMax / 1000} s`)),
        answerMsMax,
      )
      open.set(question, resolve)
      try {
        send({ question })
        return await promise
      } finally {
        clearTimeout(late)
        open.delete(question)
      }
    },
    settle: ({ question, value }) => open.get(question)?.(value),
  }
}
