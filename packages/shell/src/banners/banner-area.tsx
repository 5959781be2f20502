import { Component, createRef, type ReactNode } from 'react'

const GLIDE: KeyframeAnimationOptions = { duration: 240, easing: 'cubic-bezier(0.2, 0, 0, 1)' }

/** How things stood before the area changed. */
interface Before {
  readonly tops: ReadonlyMap<Element, number>
  /** Which button of the area had the focus; -1 where none had. */
  readonly focused: number
}

/**
 * The place of something that comes and goes above what a person is doing. What lies below glides to its new place
 * instead of jumping, a field that somebody is typing in stays where it is on the screen, and a focus that went with its
 * button finds a new place.
 */
export class BannerArea extends Component<{ children: ReactNode }> {
  readonly #area = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(): Before {
    return {
      tops: new Map(this.#below().map((element) => [element, topOf(element)])),
      focused: this.#buttons().findIndex((button) => button === document.activeElement),
    }
  }

  override componentDidUpdate(_props: unknown, _state: unknown, before: Before): void {
    this.#keepFocus(before.focused)
    const { activeElement } = document
    const held = [...before.tops].find(([element]) => element.contains(activeElement))
    if (held && activeElement?.matches('input, select, textarea')) hold(...held)
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

  /** What moves when the area grows: the rest of the page's main part, and its footer. */
  #below(): Element[] {
    const main = this.#area.current?.closest('main')
    return [
      ...(main?.children ?? []),
      ...(main?.parentElement?.querySelectorAll('footer') ?? []),
    ].filter((element) => !element.contains(this.#area.current))
  }

  /** Gives the focus to the button that took the place of the dismissed one, else to the page's heading. */
  #keepFocus(focused: number): void {
    const buttons = this.#buttons()
    if (focused === -1 || buttons.some((button) => button === document.activeElement)) return
    const next = buttons[Math.min(focused, buttons.length - 1)] ?? document.querySelector('h1')
    next?.focus({ preventScroll: true })
  }
}

/** Scrolls by as much as an element has moved; a page that is too short for that is made longer at its end. */
function hold(element: Element, top: number): void {
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
