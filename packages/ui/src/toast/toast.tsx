import {
  type ComponentType,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useRef,
  useState,
} from 'react'
import type { QueuedToast, ToastMessage } from './toast-message.ts'
import type { ToastViewportProps } from './toast-viewport.tsx'

export type ShowToast = (message: ToastMessage) => void

const ToastContext = createContext<ShowToast | undefined>(undefined)

/**
 * Provides `useToast`. The toast viewport is loaded with the first toast, so pages that show none
 * do not include it.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [Viewport, setViewport] = useState<ComponentType<ToastViewportProps>>()
  const [queue, setQueue] = useState<readonly QueuedToast[]>([])
  const count = useRef(0)

  const show = useCallback((message: ToastMessage) => {
    count.current += 1
    const toast = { ...message, key: count.current }
    setQueue((queued) => [...queued, toast])
    import('./toast-viewport.tsx').then(
      ({ ToastViewport }) => setViewport(() => ToastViewport),
      // Offline: drop the toasts, which would be outdated once the viewport loads.
      () => setQueue([]),
    )
  }, [])
  const removeShown = useCallback((last: number) => {
    setQueue((queued) => queued.filter(({ key }) => key > last))
  }, [])

  return (
    <ToastContext.Provider value={show}>
      {children}
      {Viewport && <Viewport queue={queue} onShown={removeShown} />}
    </ToastContext.Provider>
  )
}

/**
 * Returns the function that shows a toast.
 * @example useToast()({ text: 'Copied!', tone: 'ok', timeoutMs: 6000 })
 */
export function useToast(): ShowToast {
  const show = useContext(ToastContext)
  if (show === undefined) {
    throw new Error(
      'ToastProvider not found. Wrap the application in <ToastProvider> before calling useToast().',
    )
  }
  return show
}
