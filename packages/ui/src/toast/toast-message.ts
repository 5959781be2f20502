/** The maximum number of visible toasts (§9). */
export const TOAST_LIMIT = 5

/**
 * Only for results that are not visible elsewhere on the page. Errors belong in an alert next to what failed, and are not
 * repeated in a toast.
 */
export type ToastMessage = {
  tone?: 'warn' | 'info' | 'ok'
  text: string
  /** A toast replaces an earlier one with the same subject; defaults to the text. */
  subject?: string
  /** How long the toast is shown; 0 keeps it until the user closes it. */
  timeoutMs?: number
}

/** A toast waiting to be rendered. */
export type QueuedToast = ToastMessage & { readonly key: number }
