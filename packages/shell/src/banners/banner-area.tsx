import { Component, createRef, type ReactNode } from 'react'

const GLIDE: KeyframeAnimationOptions = { duration: 240, easing: 'cubic-bezier(0.2, 0, 0, 1)' }

/** Positions and focus before the update. */
interface LayoutSnapshot {
  readonly tops: ReadonlyMap<Element, number>
  /** The index of the focused button in the area, or -1. */
  readonly focused: number
}

/**
 * A container for content that appears and disappears above the form. Content below animates to its new position instead
 * of jumping, a focused field keeps its position on the screen, and if a removed button had the focus, the focus moves to
 * the next one.
 */
export class BannerArea extends Component<{ children: ReactNode }> {
  readonly #area = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(): LayoutSnapshot {
    return {
      tops: new Map(this.#below().map((element) => [element, topOf(element)])),
      focused: this.#buttons().findIndex((button) => button === document.activeElement),
    }
  }

  override componentDidUpdate(_props: unknown, _state: unknown, before: LayoutSnapshot): void {
    this.#restoreFocus(before.focused)
    const { activeElement } = document
    const focusedElement = [...before.tops].find(([element]) => element.contains(activeElement))
    if (focusedElement && activeElement?.matches('input, select, textarea'))
      keepInPlace(...focusedElement)
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const [element, top] of before.tops) {
      const moved = top - topOf(element)
      if (moved !== 0) element.animate([{ translate: `0 ${moved}px` }, { translate: '0' }], GLIDE)
    }
  }

  override render(): ReactNode {
    return <div ref={this.#area}>{this.props.children}</div>
  }

  #buttons(): HTMLButtonElement[] {
    return [...(this.#area.current?.querySelectorAll('button') ?? [])]
  }

  /** The elements that move when the area's height changes: the rest of `main`, and the footer. */
  #below(): Element[] {
    const main = this.#area.current?.closest('main')
    return [
      ...(main?.children ?? []),
      ...(main?.parentElement?.querySelectorAll('footer') ?? []),
    ].filter((element) => !element.contains(this.#area.current))
  }

  /** Moves the focus to the button that replaced the dismissed one, or to the page's heading. */
  #restoreFocus(focused: number): void {
    const buttons = this.#buttons()
    if (focused === -1 || buttons.some((button) => button === document.activeElement)) return
    const next = buttons[Math.min(focused, buttons.length - 1)] ?? document.querySelector('h1')
    next?.focus({ preventScroll: true })
  }
}

/** Scrolls so that an element keeps its position on the screen; adds padding if the page is too short to scroll. */
function keepInPlace(element: Element, top: number): void {
  const scroll = () => window.scrollBy({ top: topOf(element) - top, behavior: 'instant' })
  scroll()
  const missing = topOf(element) - top
  if (missing <= 0) return
  document.body.style.paddingBlockEnd = `${missing}px`
  scroll()
}

function topOf(element: Element): number {
  return element.getBoundingClientRect().top
}
