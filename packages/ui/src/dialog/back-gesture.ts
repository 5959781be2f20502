import { useEffect, useRef } from 'react'

/** The part of the browser's CloseWatcher that is used; not every browser has it. */
type Watcher = EventTarget & { destroy(): void }

/**
 * Hands the phone's back gesture to a closable dialog instead of leaving the page. Only on touch
 * screens: elsewhere the same browser event is the Escape key, which the dialog hears by itself.
 */
export function useBackGesture(onClose: (() => void) | undefined) {
  const latest = useRef(onClose)
  useEffect(() => {
    latest.current = onClose
  })
  const closable = onClose !== undefined
  useEffect(() => {
    const { CloseWatcher } = globalThis as { CloseWatcher?: new () => Watcher }
    if (!closable || CloseWatcher === undefined || !matchMedia('(pointer: coarse)').matches) return
    const watcher = new CloseWatcher()
    watcher.addEventListener('close', () => latest.current?.())
    return () => watcher.destroy()
  }, [closable])
}
