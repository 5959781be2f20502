import type { KeyboardEvent } from 'react'

const ITEMS = '[role^="menuitem"]:not([aria-disabled="true"])'

/** Letters typed within this time form one search word (WAI-ARIA menu pattern). */
const WORD_MS = 500

export const itemsOf = (menu: Element): HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>(ITEMS),
]

/** The keys of a menu (WAI-ARIA): arrows, Home, End and letters move the focus, and Tab closes the menu. */
export function menuKeys() {
  let word = ''
  let typedAt = 0
  return (event: KeyboardEvent<HTMLElement>) => {
    const { currentTarget: menu, key } = event
    const items = itemsOf(menu)
    const at = items.findIndex((item) => item === document.activeElement)
    const focus = (index: number) => {
      event.preventDefault()
      items.at(index % items.length)?.focus()
    }
    switch (key) {
      case 'ArrowDown':
        return focus(at + 1)
      case 'ArrowUp':
        return focus(at - 1)
      case 'Home':
        return focus(0)
      case 'End':
        return focus(-1)
      case 'Tab':
        return menu.hidePopover()
    }
    // Letters only: Enter and the space bar activate the focused item, and shortcuts belong to the browser.
    if (key.length !== 1 || key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return
    word = event.timeStamp - typedAt < WORD_MS ? word + key.toLowerCase() : key.toLowerCase()
    typedAt = event.timeStamp
    // A single letter starts searching at the next item, so that repeating it cycles through the matches.
    const from = word.length === 1 ? at + 1 : Math.max(at, 0)
    const found = items.findIndex((_, index) => {
      const item = items[(from + index) % items.length]
      return item?.textContent.trim().toLowerCase().startsWith(word)
    })
    if (found >= 0) focus(from + found)
  }
}
