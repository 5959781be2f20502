import { Toast } from '@base-ui/react/toast'
import { useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from '../icon/icon.tsx'
import { useClearOfFocus } from './clear-of-focus.ts'
import styles from './toast.module.css'
import { type QueuedToast, TOAST_LIMIT, type ToastMessage } from './toast-message.ts'

/** `onShown` confirms that all toasts up to the key are being shown. */
export type ToastViewportProps = {
  queue: readonly QueuedToast[]
  onShown: (lastKey: number) => void
}

const DEFAULT_TIMEOUT_MS = 6000

/** Screen readers announce only what is added to a region that they already know. */
const REGION_DELAY_MS = 150

const ICONS: Record<NonNullable<ToastMessage['tone']>, IconName> = {
  warn: 'warning',
  info: 'info',
  ok: 'ok',
}

/** Renders toasts: at most five are visible, and their timers pause while one is hovered or focused. */
export function ToastViewport({ queue, onShown }: ToastViewportProps) {
  const [manager] = useState(() => Toast.createToastManager<{ tone: keyof typeof ICONS }>())

  const [isKnown, setIsKnown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsKnown(true), REGION_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])

  useEffect(() => {
    if (!isKnown) return
    for (const { text, tone = 'info', subject = text, timeoutMs = DEFAULT_TIMEOUT_MS } of queue) {
      // Adding an existing ID replaces that toast and restarts its timer.
      manager.add({ id: subject, title: text, timeout: timeoutMs, data: { tone } })
    }
    const last = queue.at(-1)
    if (last) onShown(last.key)
  }, [isKnown, queue, manager, onShown])

  return (
    <Toast.Provider toastManager={manager} limit={TOAST_LIMIT}>
      <Toast.Portal>
        <Toasts />
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Toasts() {
  const { toasts } = Toast.useToastManager<{ tone: keyof typeof ICONS }>()
  const region = useRef<HTMLDivElement>(null)
  useClearOfFocus(region, toasts.length)
  const shown = toasts.map((toast) => {
    const tone = toast.data?.tone ?? 'info'
    return (
      <Toast.Root
        key={toast.id}
        toast={toast}
        className={styles.toast}
        data-tone={tone}
        swipeDirection={['down', 'right']}
      >
        <Toast.Content className={styles.content}>
          <Icon name={ICONS[tone]} />
          <Toast.Title className={styles.text} render={<p />} />
          <Toast.Close className={styles.close} aria-label="Dismiss">
            <Icon name="close" />
          </Toast.Close>
        </Toast.Content>
      </Toast.Root>
    )
  })
  return (
    <Toast.Viewport ref={region} className={styles.viewport}>
      {shown}
    </Toast.Viewport>
  )
}
