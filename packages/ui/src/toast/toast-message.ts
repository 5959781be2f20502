/** How many toasts are visible at once (§9). */
export const TOAST_LIMIT = 5

/** What a toast says. Low stakes only: an error that needs an act belongs in the page. */
export type ToastMessage = {
  tone?: 'danger' | 'warn' | 'info' | 'ok'
  text: string
  /** How long it stays; 0 keeps it until it is closed. */
  timeoutMs?: number
}

/** A toast on its way to the screen. */
export type QueuedToast = ToastMessage & { readonly key: number }
