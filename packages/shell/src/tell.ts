import type { ShowToast } from '@portico/ui/toast'

/** Says something in notifications, each string in one of its own (§8). */
export type Tell = (tone: 'ok' | 'danger', notices: readonly string[]) => void

/** Tells by toasts. */
export function tellBy(show: ShowToast): Tell {
  return (tone, notices) => {
    for (const text of notices) show({ text, tone })
  }
}
