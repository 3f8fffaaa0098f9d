interface Closable {
  close(): Promise<void>
}

/**
 * Opens something before the tests of the surrounding `describe` and closes it after them, or before and after each of
 * them. The fields of the returned object are set from then on.
 */
export function useOpened<Opened extends Closable>(
  open: () => Promise<Opened>,
  per: 'suite' | 'test' = 'suite',
): Opened {
  const [start, end] = per === 'suite' ? [before, after] : [beforeEach, afterEach]
  const fields = {} as Opened
  let close: Opened['close'] | undefined
  start('open the fixture', async () => {
    const opened = await open()
    close = opened.close
    Object.assign(fields, opened)
  })
  end('close the fixture', () => close?.())
  return fields
}
