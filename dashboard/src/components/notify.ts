import type { ComponentType } from 'react'
import { useSyncExternalStore } from 'react'
import { loadCode } from './load-code.ts'

export interface Notification {
  id: string
  title?: string
  message: string
  color: 'green' | 'red'
  /** In milliseconds. */
  autoClose: number | false
  role: 'status' | 'alert'
}

const durationMs = 5_000
const closeButtonProps = { 'aria-label': 'Dismiss' }

/** Notifies of a success. Screen readers announce it. */
export function notify(message: string): void {
  show({ id: crypto.randomUUID(), message, color: 'green', autoClose: durationMs, role: 'status' })
}

/** Notifies of an error. Stays until it is dismissed, or replaced by another one with the same ID. */
export function notifyError(title: string, message: string, id: string = crypto.randomUUID()): void {
  show({ id, title, message, color: 'red', autoClose: false, role: 'alert' })
}

export function dismiss(id: string): void {
  list?.notifications.hide(id)
  setShown({ ...shown, plain: shown.plain.filter(notification => notification.id !== id) })
}

interface Shown {
  /** The component that shows notifications, whose code is loaded with the first one. */
  List?: ComponentType
  /** Those that came when that code could not be loaded. */
  plain: readonly Notification[]
}

let list: typeof import('./notification-list.tsx') | undefined
let shown: Shown = { plain: [] }
const listeners = new Set<() => void>()

export function useNotifications(): Shown {
  return useSyncExternalStore(subscribe, () => shown)
}

async function show(notification: Notification): Promise<void> {
  try {
    list ??= await loadCode(() => import('./notification-list.tsx'))
  } catch {
    showPlainly(notification)
    return
  }
  dismiss(notification.id)
  setShown({ ...shown, List: list.default })
  list.notifications.show({ withBorder: true, closeButtonProps, ...notification })
}

function showPlainly(notification: Notification): void {
  const { id, autoClose } = notification
  const others = shown.plain.filter(other => other.id !== id)
  setShown({ plain: [...others, notification] })
  if (autoClose) setTimeout(() => dismiss(id), autoClose)
}

function setShown(changed: Shown): void {
  shown = changed
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
