import { textStorage } from '@portico/contracts/text-storage'
import { fieldsIn, textOf } from '../../protocol/fields.ts'
import { WALLET_APP_EVENTS } from '../events.ts'
import type { Stop } from '../ports.ts'
import { WALLET_APP_IDS, type WalletAddresses } from './wallet-addresses.ts'

/**
 * The hosted wallet's frame (§2.8): 600 by 600 px at the top right, minimizable to 50 by 50 px. Below 48 rem it fills the
 * screen except for the space a page reserves at the bottom with `--hosted-wallet-inset-bottom`. There is at most one per browser: a tab
 * that opens one makes every other tab close its own, because two would respond for the same account.
 */

const FRAME_ID = 'figure-wallet-hosted'
const CHANNEL = 'figure-hosted-wallet'
const OVERRIDE = 'FIGURE_HOSTED_WALLET_URL_TEST_OVERRIDE'

const OPENING_EVENTS: readonly unknown[] = [
  WALLET_APP_EVENTS.INIT,
  WALLET_APP_EVENTS.EVENT,
  WALLET_APP_EVENTS.DISCONNECT,
]

// An adopted style sheet, because a page's Content-Security-Policy may forbid inline styles.
const STYLE = `
#${FRAME_ID} { position: fixed; top: 0; right: 0; width: 600px; height: 600px; max-width: 100%; max-height: 100%;
  z-index: 2147483647; }
#${FRAME_ID} > iframe { width: 100%; height: 100%; border: 0; background: #fff; color-scheme: normal;
  box-shadow: 0 4px 37px rgb(0 0 0 / 40%); }
#${FRAME_ID}.minimized { top: 50px; width: 50px; height: 50px; }
#${FRAME_ID}:not(:has(> iframe)) { display: grid; align-content: center; justify-items: center; gap: 16px; height: auto;
  box-sizing: border-box; padding: 32px 24px; background: Canvas; color: CanvasText; text-align: center;
  box-shadow: 0 4px 37px rgb(0 0 0 / 40%); }
@media (width < 48rem) {
  #${FRAME_ID}:not(.minimized) { inset: 0 0 var(--hosted-wallet-inset-bottom, 0px); width: auto; height: auto; }
  #${FRAME_ID}:not(.minimized), #${FRAME_ID}:not(.minimized) > iframe { box-shadow: none; } }
#${FRAME_ID} > button { padding: 8px 24px; border: 1px solid; border-radius: 6px; background: none; color: inherit;
  font: inherit; cursor: pointer; }`

const UNREACHABLE = 'We could not reach the wallet. Check your connection, then open it again.'

/**
 * Opens the frame on the page's wallet events and handles the frame's messages, until stopped. `onReplaced`
 * is called when another tab opened a frame and this tab's frame was therefore closed.
 */
export function serveHostedFrames(
  { hosted }: Pick<WalletAddresses, 'hosted'>,
  onReplaced: () => void,
): Stop {
  if (typeof document === 'undefined') return () => undefined
  const ended = new AbortController()
  const channel = new BroadcastChannel(CHANNEL)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  document.adoptedStyleSheets.push(sheet)

  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (fieldsIn(data)['type'] !== 'create_iframe' || !document.getElementById(FRAME_ID)) return
    closeHostedFrame()
    onReplaced()
  })
  document.addEventListener(
    hosted.event,
    (event) => {
      const detail = fieldsIn((event as CustomEvent<unknown>).detail)
      if (!OPENING_EVENTS.includes(detail['event'])) return
      // A frame left open by an earlier attempt does not have the new code.
      if (detail['event'] === WALLET_APP_EVENTS.INIT) closeHostedFrame()
      if (document.getElementById(FRAME_ID)) return
      open(frameUrl(detail, hosted), textOf(detail['iframeParentId']))
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has one origin, the page's.
      channel.postMessage({ type: 'create_iframe' })
    },
    { signal: ended.signal },
  )
  window.addEventListener(
    'message',
    (event) => {
      const frame = document.querySelector<HTMLIFrameElement>(`#${FRAME_ID} > iframe`)
      // Only from this frame's window and the wallet's origin: other frames of the same origin are not the wallet.
      if (frame === null || event.source !== frame.contentWindow) return
      if (event.origin !== new URL(frame.src).origin) return
      handleFrameMessage(
        frameMessage(event.data, { hosted, walletUrl: frame.src, pageUrl: location.href }),
        frame,
      )
    },
    { signal: ended.signal },
  )
  return () => {
    ended.abort()
    channel.close()
    closeHostedFrame()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  }
}

/** The frame's URL for an event. Developers can override the test wallet's URL in local storage. */
function frameUrl(
  { walletId, uri, address, event, redirectUrl }: Readonly<Record<string, unknown>>,
  hosted: WalletAddresses['hosted'],
): URL {
  const isTest = walletId === WALLET_APP_IDS.FIGURE_HOSTED_TEST
  const overridden = isTest ? overrideUrl() : undefined
  const url = new URL(overridden ?? (isTest ? hosted.testUrl : hosted.url), location.href)
  for (const [name, value] of Object.entries({ wc: uri, address, event, redirectUrl })) {
    const text = textOf(value)
    if (text !== undefined) url.searchParams.set(name, text)
  }
  return url
}

/** A developer's override, if it is a URL. */
function overrideUrl(): string | undefined {
  const stored = textStorage(() => localStorage).read(OVERRIDE)
  return stored !== undefined && URL.canParse(stored, location.href) ? stored : undefined
}

function open(url: URL, parentId: string | undefined): void {
  if (url.protocol !== 'https:' && url.origin !== location.origin) return
  const panel = document.createElement('div')
  panel.id = FRAME_ID
  focusedBefore.set(panel, focusPath())
  const frame = document.createElement('iframe')
  frame.title = 'Wallet'
  frame.src = url.href
  frame.addEventListener('load', () => {
    // If the load failed, the frame contains the browser's error page, which is not accessible.
    const isLoaded = url.origin !== location.origin || frame.contentDocument !== null
    if (isLoaded) frame.focus()
    else showUnreachable(panel)
  })
  const parent = parentId === undefined ? null : document.getElementById(parentId)
  ;(parent ?? document.body).append(panel)
  // Offline, not every browser fires `load` for its error page.
  if (navigator.onLine) panel.append(frame)
  else showUnreachable(panel)
}

/** Replaces the browser's error page, which has no close button and covers the page on a phone. */
function showUnreachable(panel: HTMLElement): void {
  const text = document.createElement('p')
  text.role = 'alert'
  text.textContent = UNREACHABLE
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Close'
  button.addEventListener('click', closeHostedFrame)
  panel.replaceChildren(text, button)
  button.focus()
}

function handleFrameMessage(
  message: ReturnType<typeof frameMessage>,
  frame: HTMLIFrameElement,
): void {
  switch (message?.type) {
    case 'close':
      return closeHostedFrame()
    case 'minimize':
    case 'restore':
      document.getElementById(FRAME_ID)?.classList.toggle('minimized', message.type === 'minimize')
      // The wallet accepts an answer only while it has the focus.
      if (message.type === 'restore') frame.focus()
      return
    case 'openWindow':
      window.open(message.url, '_blank', 'noopener')
      return
    case undefined:
      return
  }
}

/** Removes the frame, whatever its content. */
export function closeHostedFrame(): void {
  if (typeof document === 'undefined') return
  const panel = document.getElementById(FRAME_ID)
  if (panel === null) return
  const hadFocus = panel.contains(document.activeElement)
  panel.remove()
  if (hadFocus) returnFocus(focusedBefore.get(panel) ?? [])
}

/** For each panel, the element that had the focus when it was opened, and its ancestors. */
const focusedBefore = new WeakMap<Element, readonly HTMLElement[]>()

function focusPath(): readonly HTMLElement[] {
  const path: HTMLElement[] = []
  for (let { activeElement: each } = document; each !== null; each = each.parentElement) {
    if (each instanceof HTMLElement) path.push(each)
  }
  return path
}

/** Focuses the first element that is still there and takes the focus: the button that opened the wallet may be gone. */
function returnFocus(path: readonly HTMLElement[]): void {
  for (const element of path) {
    element.focus({ preventScroll: true })
    if (document.activeElement === element && element !== document.body) return
  }
}

/** A message from the hosted wallet to the page that embeds it. */
export type FrameMessage =
  | { readonly type: 'close' | 'minimize' | 'restore' }
  | { readonly type: 'openWindow'; readonly url: string }

const COMMANDS = {
  window_close: 'close',
  window_minimize: 'minimize',
  window_restore: 'restore',
} as const

/**
 * Parses a message from the wallet's frame (§7.4). A sign-in page is opened only over https and only if its origin is
 * the wallet's, this page's or one that the installation allows: the frame must not be able to open arbitrary windows.
 */
export function frameMessage(
  data: unknown,
  {
    hosted,
    walletUrl,
    pageUrl,
  }: {
    readonly hosted: Pick<WalletAddresses['hosted'], 'authOrigins'>
    readonly walletUrl: string
    readonly pageUrl: string
  },
): FrameMessage | undefined {
  if (typeof data === 'string') {
    return Object.hasOwn(COMMANDS, data)
      ? { type: COMMANDS[data as keyof typeof COMMANDS] }
      : undefined
  }
  const { type, url } = fieldsIn(data)
  if (type !== 'authUrlReceived' || typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { origin, protocol, href } = new URL(url)
  const own = new URL(pageUrl).origin
  const allowed = [own, new URL(walletUrl).origin, ...hosted.authOrigins]
  if (!allowed.includes(origin) || (protocol !== 'https:' && origin !== own)) return undefined
  return { type: 'openWindow', url: href }
}
