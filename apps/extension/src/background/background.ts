/**
 * The extension's background worker. The browser may stop it at any moment, so it keeps nothing in memory that is not stored:
 * each event that starts it opens the key keeper and the request source again.
 */
import type { BrowserApi } from '../browser-api.ts'
import { PageMessage } from '../page-message.ts'
import { type WalletCall, type WalletSnapshot, WINDOW_PORT } from '../wallet-calls.ts'
import { approvalWindow, type WindowPlace } from './approval-window.ts'
import { openWallet } from './open-wallet.ts'
import { serveCall, type Wallet } from './serve-call.ts'

/** An alarm reconnects to the pages' relays and lets the lock time pass; the floor of both browsers is half a minute. */
const WAKE_ALARM = 'wake'
const WAKE_MINUTES = 1

/** Less than the 30 seconds without events after which a worker is stopped. */
const KEEP_ALIVE_MS = 20_000

/** Registers the worker's listeners. Must run before the worker's first turn ends, or the browser drops the event. */
export function startBackground(api: BrowserApi, reportError: (error: unknown) => void): void {
  const approval = approvalWindow(api)
  const ports = new Set<chrome.runtime.Port>()
  let vaultVersion = 0
  let opened: Promise<Wallet> | undefined

  function wallet(): Promise<Wallet> {
    opened ??= openWallet(api).then((created) => {
      created.source.subscribe(() => changed(created))
      created.keeper.subscribe(() => {
        vaultVersion += 1
        changed(created)
      })
      changed(created)
      return created
    })
    // A failed attempt, for example because storage was unavailable, is not kept.
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }

  const wake = () => void wallet().catch(reportError)

  let shownPrompt: string | undefined

  function changed({ source }: Wallet): void {
    const snapshot = snapshotOf(source)
    for (const port of ports) port.postMessage(snapshot)
    const { prompt, sites, waiting } = snapshot
    void api.action.setBadgeText({ text: waiting === 0 ? '' : `${waiting}` })
    if (prompt === null && sites.length === 0) void api.alarms.clear(WAKE_ALARM)
    else void api.alarms.create(WAKE_ALARM, { periodInMinutes: WAKE_MINUTES })
    if (prompt !== null && prompt.id !== shownPrompt) {
      shownPrompt = prompt.id
      // The popup shows it too.
      if (ports.size === 0) approval.show(undefined).catch(reportError)
    }
  }

  function snapshotOf(source: Wallet['source']): WalletSnapshot {
    return {
      prompt: source.prompt() ?? null,
      waiting: source.waiting(),
      decided: source.decided() ?? null,
      returnUrl: source.returnUrl() ?? null,
      sites: source.sites(),
      vaultVersion,
    }
  }

  async function pageEventArrived(message: unknown, sender: chrome.runtime.MessageSender) {
    const { event, uri, screen } = PageMessage.parse(message)
    const { source } = await wallet()
    if (event !== 'walletconnect_init' || uri === undefined) return
    const place: WindowPlace = { windowId: sender.tab?.windowId, screen }
    await approval.show(place)
    await source.connect(uri, pageOrigin(sender))
  }

  api.runtime.onMessage.addListener((message: unknown, sender, respond) => {
    if (sender.id !== api.runtime.id) return false
    if (isOwnPage(sender)) {
      // Only our own windows send these.
      void serveCall(wallet, message as WalletCall, reportError).then(respond)
      return true
    }
    pageEventArrived(message, sender).catch(reportError)
    return false
  })

  api.runtime.onConnect.addListener((port) => {
    if (port.name !== WINDOW_PORT || port.sender === undefined || !isOwnPage(port.sender)) {
      return port.disconnect()
    }
    ports.add(port)
    port.onDisconnect.addListener(() => ports.delete(port))
    wallet()
      .then(({ source }) => ports.has(port) && port.postMessage(snapshotOf(source)))
      .catch(reportError)
  })

  api.alarms.onAlarm.addListener(wake)
  api.runtime.onStartup.addListener(wake)
  api.runtime.onInstalled.addListener(wake)

  setInterval(() => void keepAlive().catch(reportError), KEEP_ALIVE_MS)

  /** Calling the extension's API restarts the browser's idle time. */
  async function keepAlive(): Promise<void> {
    const { source } = (await opened) ?? {}
    if (source?.prompt() !== undefined) await api.runtime.getPlatformInfo()
  }

  /** Whether the browser vouches that a message is from one of our own windows, not from a script in a page. */
  function isOwnPage({ id, url }: chrome.runtime.MessageSender): boolean {
    return id === api.runtime.id && url !== undefined && url.startsWith(api.runtime.getURL(''))
  }
}

/** The page's origin as the browser reports it. Sandboxed pages have none. */
function pageOrigin({ origin }: chrome.runtime.MessageSender): string | undefined {
  return origin === undefined || origin === 'null' ? undefined : origin
}
