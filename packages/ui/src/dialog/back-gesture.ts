import { useEffect, useRef } from 'react'

/** The part of the CloseWatcher API used here; not every browser supports it. */
type Watcher = EventTarget & { destroy(): void }

/**
 * Closes a dialog on the phone's back gesture instead of leaving the page. Only on touch screens:
 * elsewhere CloseWatcher fires for the Escape key, which the dialog already handles.
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
