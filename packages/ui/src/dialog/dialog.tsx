import { Dialog as Base } from '@base-ui/react/dialog'
import { createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react'
import { Icon } from '../icon/icon.tsx'
import { useBackGesture } from './back-gesture.ts'
import styles from './dialog.module.css'
import { plainText } from './plain-text.ts'

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
  const popup = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useBackGesture(open ? onClose : undefined)
  const isNested = useContext(InDialogContext)
  const titleId = useId()
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose?.()}>
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            ref={popup}
            className={styles.sheet}
            data-part="dialog"
            data-width={width}
            initialFocus={() =>
              popup.current?.querySelector<HTMLElement>('[data-focus-first]') ??
              popup.current?.querySelector<HTMLElement>(FIELDS) ??
              heading.current
            }
          >
            <header className={styles.head}>
              <Base.Title
                ref={heading}
                id={titleId}
                tabIndex={-1}
                className={styles.title}
                // The parts of an address, between which it may wrap, would be read one by one.
                aria-label={typeof title === 'string' ? undefined : plainText(title)}
              >
                {title}
              </Base.Title>
              {onClose && (
                <Base.Close className={styles.close}>
                  <Icon name={isNested ? 'back' : 'close'} />
                  <span>{isNested ? 'Back' : 'Close'}</span>
                </Base.Close>
              )}
            </header>
            <Body titleId={titleId}>{children}</Body>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

function Body({ titleId, children }: { titleId: string; children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  // Not a callback ref that returns its cleanup: React 18 has none.
  useEffect(
    () => (body.current === null ? undefined : nameIfFocusable(body.current, titleId)),
    [titleId],
  )
  return (
    <div ref={body} className={styles.body}>
      <InDialogContext.Provider value>{children}</InDialogContext.Provider>
    </div>
  )
}

const CONTROLS = `${FIELDS}, a[href], button:not(:disabled), [tabindex]`

/**
 * Browsers let users focus a text that scrolls and contains no control, so that they can scroll it by key. It then has
 * the name of the dialog.
 */
function nameIfFocusable(body: HTMLElement, titleId: string): () => void {
  const observer = new ResizeObserver(() => {
    const isFocusable =
      body.scrollHeight > body.clientHeight && body.querySelector(CONTROLS) === null
    for (const [name, value] of [
      ['role', 'group'],
      ['aria-labelledby', titleId],
    ] as const) {
      if (isFocusable) body.setAttribute(name, value)
      else body.removeAttribute(name)
    }
  })
  observer.observe(body)
  return () => observer.disconnect()
}
