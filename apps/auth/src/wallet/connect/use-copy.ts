import { type ShowToast, useToast } from '@portico/ui/toast'
import { useEnvironment } from '../../environment.ts'

/** How long the toast is shown (§9). */
const COPIED_MS = 6000

/** Copies text to the clipboard and shows the result in a toast. */
export function useCopy(): (text: string) => void {
  const { copy } = useEnvironment()
  const show = useToast()
  return (text) => void copy(text).then((copied) => show(copyToast(copied)))
}

/** The toast for a successful or denied copy (§2.7). */
export function copyToast(copied: boolean): Parameters<ShowToast>[0] {
  const subject = 'copy'
  return copied
    ? { subject, text: 'Copied!', tone: 'ok', timeoutMs: COPIED_MS }
    : { subject, text: 'Your browser did not allow copying. Scan the code instead.', tone: 'warn' }
}
