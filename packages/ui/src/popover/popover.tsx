import { type MouseEvent, type ReactNode, useEffect, useId, useRef, useState, version } from 'react'
import { itemsOf, menuKeys } from './menu-keys.ts'
import styles from './popover.module.css'

export type PopoverProps = {
  /** The accessible name of the popover, and of the button if it shows only an icon. */
  label: string
  /** The button's content. */
  button: ReactNode
  /** `choice` shows the current value, `icon` only an icon. */
  look: 'choice' | 'icon'
  /** A `menu` contains menu items only, which the arrow keys and letters move between. */
  kind?: 'dialog' | 'menu'
  children: ReactNode
}

/** React 18 passes unknown attributes through unchanged and warns about capital letters. */
const POPOVER_TARGET = version.startsWith('18.') ? 'popovertarget' : 'popoverTarget'

/**
 * A button and its popover: below the button on wide pages, a bottom sheet on narrow ones. It is a native popover, so it
 * opens before the page is hydrated, closes on Escape and on a click elsewhere, and restores the focus. Choosing a link or
 * a menu item closes it.
 */
export function Popover({ label, button, look, kind = 'dialog', children }: PopoverProps) {
  const id = useId()
  const [keys] = useState(menuKeys)
  const isMenu = kind === 'menu'
  const popover = useRef<HTMLDivElement>(null)
  // React 18 has no `onToggle` for popovers.
  useEffect(() => {
    const opened = popover.current
    const focusOpened = (event: ToggleEvent) => {
      if (opened === null || event.newState !== 'open') return
      const items = isMenu ? itemsOf(opened) : []
      const current = items.find((item) => item.ariaChecked === 'true') ?? items[0]
      ;(current ?? opened).focus({ preventScroll: true })
    }
    opened?.addEventListener('toggle', focusOpened)
    return () => opened?.removeEventListener('toggle', focusOpened)
  }, [isMenu])
  function onClick({ currentTarget, target }: MouseEvent<HTMLElement>) {
    if (target instanceof Element && target.closest('a, [role^="menuitem"]') !== null) {
      currentTarget.hidePopover()
    }
  }
  return (
    <>
      <button
        type="button"
        className={styles.button}
        data-look={look}
        aria-label={look === 'icon' ? label : undefined}
        aria-haspopup={kind}
        {...{ [POPOVER_TARGET]: id }}
      >
        {button}
      </button>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- `role` is one of two, and the keys are the menu's */}
      <div
        ref={popover}
        id={id}
        popover="auto"
        role={kind}
        aria-label={label}
        tabIndex={-1}
        className={styles.popover}
        data-part="popover"
        onClick={onClick}
        onKeyDown={isMenu ? keys : undefined}
      >
        {children}
      </div>
    </>
  )
}
