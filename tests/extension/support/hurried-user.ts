/** A user who answers each request in the approval window as soon as it can be answered. */

import type { BrowserPage } from '../../support/browser-page.ts'
import { PASSPHRASE } from './create-wallet.ts'

/** What the user decides, by what a request shows. */
export type Decisions = Readonly<Record<string, 'approve' | 'reject'>>

/** What a window of the wallet showed, and what was pressed there. */
export interface Glance {
  readonly text: string
  /** The request's content, if one is shown. */
  readonly content: string | undefined
  /** The verified origin that is shown with it. */
  readonly origin: string | undefined
  readonly pressed: string | undefined
  /** Whether the wallet shows that nothing waits. */
  readonly isIdle: boolean
}

/** Reads what a window of the wallet shows and presses at most one of its buttons. Returns undefined without a window. */
export async function glance(
  window: BrowserPage | undefined,
  decisions: Decisions,
): Promise<Glance | undefined> {
  const seen = await window
    ?.evaluate(glanceInPage, { decisions, passphrase: PASSPHRASE })
    // A window that is closing rejects calls.
    .catch(() => undefined)
  if (seen === undefined) return undefined
  const { isHidden, ...shown } = JSON.parse(seen) as Glance & { readonly isHidden: boolean }
  // In Firefox, a page may open as a tab in front of it.
  if (isHidden) await window?.bringToFront().catch(() => undefined)
  return shown
}

/** Runs in the window. Reading and pressing are one turn, so that the press belongs to what was read. */
function glanceInPage({
  decisions,
  passphrase,
}: {
  readonly decisions: Decisions
  readonly passphrase: string
}): string {
  // The walks do not test the pause that protects against accidental clicks, and would wait for it most of the time.
  if (!Reflect.has(window, 'isHurried')) {
    Reflect.set(window, 'isHurried', true)
    const { setTimeout: original } = window
    Reflect.set(window, 'setTimeout', (callback: () => void, delay: number) =>
      original.call(window, callback, delay === 500 ? 20 : delay),
    )
  }
  const main = document.querySelector('main')
  main?.scrollTo(0, main.scrollHeight)
  const text = document.body.innerText
  const content = /(?:Statement|Payment) \d+-\d+/.exec(text)?.[0]
  const [, origin] = /(http:\/\/127\.0\.0\.1:\d+) \(verified\)/.exec(text) ?? []

  function press(name: RegExp): string | undefined {
    for (const button of document.querySelectorAll('button')) {
      const label = button.innerText.trim()
      if (!name.test(label) || button.matches(':disabled, [aria-disabled=true]')) continue
      button.click()
      return label
    }
    return undefined
  }

  function unlock(): string | undefined {
    const field = document.querySelector<HTMLInputElement>('input[type=password]')
    if (field === null) return undefined
    if (field.value === passphrase) return press(/^Unlock$/)
    // React watches the property of the element, so the one of the prototype is set.
    const property = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
    property?.set?.call(field, passphrase)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    return undefined
  }

  const decision = content === undefined ? undefined : decisions[content]
  const pressed =
    unlock() ??
    (decision === 'approve' ? press(/^(?:Sign|Send)$/) : undefined) ??
    (decision === 'reject' ? press(/^Reject$/) : undefined) ??
    press(/^(?:Connect|Done|Next request.*|Try again|I understand)$/)
  const isIdle = content === undefined && /Waiting for the page|Your accounts/.test(text)
  const isHidden = document.visibilityState === 'hidden'
  return JSON.stringify({ text, content, origin, pressed, isIdle, isHidden })
}
