import { fieldsIn, textOf } from '../../protocol/fields.ts'
import type { Stop } from '../ports.ts'
import { WALLET_APP_EVENTS } from '../wallet-app-events.ts'
import { WALLET_APP_IDS } from '../wallet-app-ids.ts'
import { frameMessage } from './frame-message.ts'
import type { WalletAddresses } from './wallet-addresses.ts'

/**
 * The hosted wallet's frame (§2.8): 600 by 600 px at the top right, minimizable to 50 by 50 px; below 48 rem the whole
 * screen, but for what a page keeps free at the bottom by `--hosted-wallet-inset-bottom`. At most one per browser: a tab
 * that opens one makes every other tab close its own, since two would answer for the same account.
 */

const FRAME_ID = 'figure-wallet-hosted'
const CHANNEL = 'figure-hosted-wallet'
const OVERRIDE = 'FIGURE_HOSTED_WALLET_URL_TEST_OVERRIDE'

const OPENED_BY: readonly unknown[] = [
  WALLET_APP_EVENTS.INIT,
  WALLET_APP_EVENTS.EVENT,
  WALLET_APP_EVENTS.DISCONNECT,
]

// In a sheet of its own, because a page's policy may forbid styles written into elements.
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
 * Opens the frame whenever the page's wallet events ask for it, and obeys the frame's messages, until stopped. `onTaken`
 * is called when another tab has opened a frame, so that this one's is closed.
 */
export function serveHostedFrames(
  { hosted }: Pick<WalletAddresses, 'hosted'>,
  onTaken: () => void,
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
    onTaken()
  })
  document.addEventListener(
    hosted.event,
    (event) => {
      const detail = fieldsIn((event as CustomEvent<unknown>).detail)
      if (!OPENED_BY.includes(detail['event'])) return
      // What an earlier attempt left open knows nothing of the new code.
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
      // From that very window, while it shows the wallet: another frame of the same origin is not the wallet.
      if (frame === null || event.source !== frame.contentWindow) return
      if (event.origin !== new URL(frame.src).origin) return
      obey(frameMessage(event.data, { hosted, walletUrl: frame.src, pageUrl: location.href }))
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

/** The address of the frame for an event; the test wallet's may be replaced in local storage by a developer. */
function frameUrl(
  { walletId, uri, address, event, redirectUrl }: Readonly<Record<string, unknown>>,
  hosted: WalletAddresses['hosted'],
): URL {
  const isTest = walletId === WALLET_APP_IDS.FIGURE_HOSTED_TEST
  const replaced = isTest ? override() : null
  const url = new URL(replaced ?? (isTest ? hosted.testUrl : hosted.url), location.href)
  for (const [name, value] of Object.entries({ wc: uri, address, event, redirectUrl })) {
    const text = textOf(value)
    if (text !== undefined) url.searchParams.set(name, text)
  }
  return url
}

/** What a developer wrote there; nothing where storage is blocked, or what stands there is no address. */
function override(): string | null {
  try {
    const kept = localStorage.getItem(OVERRIDE)
    return kept !== null && URL.canParse(kept, location.href) ? kept : null
  } catch {
    // Blocked by the browser: nobody develops here.
    return null
  }
}

function open(url: URL, parentId: string | undefined): void {
  if (url.protocol !== 'https:' && url.origin !== location.origin) return
  const panel = document.createElement('div')
  panel.id = FRAME_ID
  const frame = document.createElement('iframe')
  frame.title = 'Wallet'
  frame.src = url.href
  frame.addEventListener('load', () => {
    // Where nobody answered, the browser shows a page of its own that cannot be looked into.
    const isShown = url.origin !== location.origin || frame.contentDocument !== null
    if (isShown) frame.focus()
    else sayUnreachable(panel)
  })
  const parent = parentId === undefined ? null : document.getElementById(parentId)
  ;(parent ?? document.body).append(panel)
  // Without a network not every browser tells that it shows its own page instead.
  if (navigator.onLine) panel.append(frame)
  else sayUnreachable(panel)
}

/** The browser's own error page has no way out, and on a phone it covers the page's. */
function sayUnreachable(panel: HTMLElement): void {
  const words = document.createElement('p')
  words.role = 'alert'
  words.textContent = UNREACHABLE
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Close'
  button.addEventListener('click', closeHostedFrame)
  panel.replaceChildren(words, button)
  button.focus()
}

function obey(message: ReturnType<typeof frameMessage>): void {
  switch (message?.wish) {
    case 'close':
      return closeHostedFrame()
    case 'minimize':
    case 'restore':
      document.getElementById(FRAME_ID)?.classList.toggle('minimized', message.wish === 'minimize')
      return
    case 'openWindow':
      window.open(message.url, '_blank', 'noopener')
      return
    case undefined:
      return
  }
}

/** Takes the frame away, whatever it shows. */
export function closeHostedFrame(): void {
  if (typeof document === 'undefined') return
  document.getElementById(FRAME_ID)?.remove()
}
