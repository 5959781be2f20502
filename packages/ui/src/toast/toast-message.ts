/** How many toasts are visible at once (§9). */
export const TOAST_LIMIT = 5

/**
 * What a toast says. Only for what leaves no other trace on the page: a failure belongs in an alert beside what failed,
 * and is not repeated here.
 */
export type ToastMessage = {
  tone?: 'warn' | 'info' | 'ok'
  text: string
  /** What it is about: a toast replaces the one before it on the same subject. Without it, the one with the same text. */
  subject?: string
  /** How long it stays; 0 keeps it until it is closed. */
  timeoutMs?: number
}

/** A toast on its way to the screen. */
export type QueuedToast = ToastMessage & { readonly key: number }
