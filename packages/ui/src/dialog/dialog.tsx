import { Dialog as Base } from '@base-ui/react/dialog'
import { createContext, type ReactNode, useContext, useRef } from 'react'
import { Icon } from '../icon/icon.tsx'
import { useBackGesture } from './back-gesture.ts'
import styles from './dialog.module.css'

export type DialogProps = {
  open: boolean
  title: ReactNode
  /** `standard` is 28 rem, `wide` the 37.5 rem of the Connect screen (§9). */
  width?: 'standard' | 'wide'
  /** Without it the user cannot close the dialog, as in a forced password reset (§2.3). */
  onClose?: (() => void) | undefined
  /** An element with `data-focus-first` gets the focus, otherwise the first field, otherwise the title. */
  children: ReactNode
}

const FIELDS =
  'input:not([type="hidden"], :disabled), select:not(:disabled), textarea:not(:disabled)'

const InDialogContext = createContext(false)

/**
 * A modal: in the form column on wide login pages, otherwise a centered sheet, and a bottom sheet on phones. A dialog opened
 * inside another replaces it and returns to it.
 */
export function Dialog({ open, title, width = 'standard', onClose, children }: DialogProps) {
  const body = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useBackGesture(open ? onClose : undefined)
  const isNested = useContext(InDialogContext)
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose?.()}>
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            className={styles.sheet}
            data-part="dialog"
            data-width={width}
            initialFocus={() =>
              body.current?.querySelector<HTMLElement>('[data-focus-first]') ??
              body.current?.querySelector<HTMLElement>(FIELDS) ??
              heading.current
            }
          >
            <header className={styles.head}>
              <Base.Title ref={heading} tabIndex={-1} className={styles.title}>
                {title}
              </Base.Title>
              {onClose && (
                <Base.Close className={styles.close}>
                  <Icon name={isNested ? 'back' : 'close'} />
                  <span>{isNested ? 'Back' : 'Close'}</span>
                </Base.Close>
              )}
            </header>
            <div ref={body} className={styles.body}>
              <InDialogContext.Provider value>{children}</InDialogContext.Provider>
            </div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
