/**
 * Preloaded into every process of the service: its system clock differs from the machine's by as many milliseconds as
 * the last message says, at first by CLOCK_OFFSET_MS. Timers are not affected, like at a step of a real clock. The
 * process exits with its parent.
 */
export type ClockMessage = { clockOffsetMs: number }

let offsetMs = Number(process.env.CLOCK_OFFSET_MS ?? 0)
const MachineDate = Date

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  apply: () => new Date().toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
MachineDate.prototype.constructor = Date

process.on('message', (message: ClockMessage) => {
  offsetMs = message.clockOffsetMs
})
process.on('disconnect', () => process.exit())
// The service's own shutdown decides when the process ends.
process.channel?.unref()

function now(): number {
  return MachineDate.now() + offsetMs
}
