/**
 * The extension's background worker. The browser may stop it at any moment, so it keeps nothing in memory that is not stored:
 * each event that starts it opens the key keeper and the request source again.
 */
import { APPROVAL_WINDOW_INTERVAL_MS } from '@portico/contracts/limits'
import type { Decision } from '@portico/wallet-kit/approval-prompt'
import type { ConnectFailure } from '@portico/wallet-kit/device-wallet'
import type { BrowserApi } from '../browser-api.ts'
import { ACKNOWLEDGED } from '../page-event.ts'
import { PageMessage } from '../page-message.ts'
import {
  type WalletCall,
  type WalletSnapshot,
  WINDOW_CLOSING,
  WINDOW_PORT,
} from '../wallet-calls.ts'
import { approvalWindow, type WindowPlace } from './approval-window.ts'
import { openPages } from './open-pages.ts'
import { openWallet, type Wallet } from './open-wallet.ts'
import { serveCall } from './serve-call.ts'
import { shownRequests } from './shown-requests.ts'
import { continueRestoring, registerSiteScripts, restoreSiteScripts } from './site-scripts.ts'
import { windowOpenings } from './window-openings.ts'

/** Reconnects to the relay and compares the lock time with the clock, in case that nothing else starts the worker. */
const WAKE_ALARM = 'wake'
const WAKE_MINUTES = 1

/** Less than the 30 seconds without events after which a worker is stopped. */
const KEEP_ALIVE_MS = 20_000

/** How long a window may take to connect to a worker that was started. */
const CONNECT_LIMIT_MS = 5000

/** How requests end that the user has approved. */
const APPROVED: ReadonlySet<Decision['how']> = new Set(['agreed', 'failed', 'proposed', 'unknown'])

/** Registers the worker's listeners. Must run before the worker's first turn ends, or the browser drops the event. */
export function startBackground(api: BrowserApi, reportError: (error: unknown) => void): void {
  const approval = approvalWindow(api)
  const pages = openPages(api, async () => (await wallet()).source)
  const shown = shownRequests(api.storage.session)
  const openings = windowOpenings(api.storage.session)
  const workerId = crypto.randomUUID()
  const ports = new Set<chrome.runtime.Port>()
  let vaultVersion = 0
  let connectFailure: ConnectFailure | null = null
  /** How often pages have started the wallet. */
  let starts = 0
  /** The origin of the request that the user is deciding or has decided last. */
  let promptOrigin: string | undefined
  let lastDecision: Decision | null = null
  /** The window and screen of the page that sent the last event. */
  let place: WindowPlace | undefined
  /** The origin of that page. While the wallet is locked, requests do not say their own. */
  let eventOrigin: string | undefined
  let isAlarmSet: boolean | undefined
  let opened: Promise<Wallet> | undefined

  function wallet(): Promise<Wallet> {
    opened ??= open().catch((error: unknown) => {
      // For example because storage was unavailable: the next event tries again.
      opened = undefined
      throw error
    })
    return opened
  }

  async function open(): Promise<Wallet> {
    const created = await openWallet(api, reportError)
    created.source.subscribe(() => changed(created))
    created.keeper.subscribe(() => {
      vaultVersion += 1
      changed(created)
    })
    changed(created)
    return created
  }

  const wake = () =>
    run(async () => {
      const { keeper, source } = await wallet()
      source.wake()
      // Locks if the time is over.
      await keeper.vault()
    })

  function run(task: () => Promise<unknown>): void {
    task().catch(reportError)
  }

  function changed({ source }: Wallet): void {
    const snapshot = snapshotOf(source)
    for (const port of ports) port.postMessage(snapshot)
    const { prompt, decided, sites, waiting } = snapshot
    run(() => api.action.setBadgeText({ text: waiting === 0 ? '' : `${waiting}` }))
    const isAlarmNeeded = waiting > 0 || sites.length > 0
    if (isAlarmNeeded !== isAlarmSet) {
      isAlarmSet = isAlarmNeeded
      run(() =>
        isAlarmNeeded
          ? api.alarms.create(WAKE_ALARM, { periodInMinutes: WAKE_MINUTES })
          : api.alarms.clear(WAKE_ALARM),
      )
    }
    run(() =>
      shown.update({ promptId: prompt?.id ?? null, waiting }, async () => {
        // An open window or popup shows it already. A window that the user has closed opens again only for the next request.
        if (ports.size === 0) await showFor(prompt?.origin ?? eventOrigin)
      }),
    )
    if (decided !== lastDecision && decided !== null && APPROVED.has(decided.how)) {
      const origin = promptOrigin
      run(() => openings.reset(origin))
    }
    lastDecision = decided
    if (prompt !== null) promptOrigin = prompt.origin
  }

  async function showWaiting(): Promise<void> {
    const { source } = await wallet()
    const isConnecting = source.connecting() > 0 && connectFailure === null
    if ((source.waiting() > 0 || isConnecting) && ports.size === 0)
      await showFor(source.prompt()?.origin ?? eventOrigin)
  }

  /** Opens the window for an origin, unless it was opened for it too often: then only the badge shows the request. */
  async function showFor(origin: string | undefined): Promise<void> {
    if (!(await openings.isAllowed(origin, Date.now()))) return
    await approval.show(place)
    await openings.add(origin, Date.now())
  }

  function snapshotOf(source: Wallet['source']): WalletSnapshot {
    return {
      workerId,
      prompt: source.prompt() ?? null,
      decided: source.decided() ?? null,
      pageReturn: source.pageReturn() ?? null,
      sites: source.sites(),
      waiting: source.waiting(),
      connecting: source.connecting(),
      connectFailure,
      vaultVersion,
    }
  }

  async function pageEventArrived(message: unknown, sender: chrome.runtime.MessageSender) {
    const { event, uri, timeoutMs, screen } = PageMessage.parse(message)
    const origin = pageOrigin(sender)
    const { tab, frameId, documentId = `${tab?.id} ${frameId}` } = sender
    if (event === 'left') return run(() => pages.remove((page) => page.documentId === documentId))
    if (tab?.id !== undefined && origin !== undefined) {
      await pages.add({ origin, tabId: tab.id, documentId })
    }
    place = { windowId: tab?.windowId, screen }
    eventOrigin = origin
    const opened = await wallet()
    const { source } = opened
    switch (event) {
      case 'walletconnect_init': {
        if (uri === undefined) return
        starts += 1
        const start = starts
        connectFailure = null
        const { promise: isStored, resolve } = Promise.withResolvers<void>()
        const outcome = source.connect(uri, origin, {
          tabOrigin: tabOrigin(sender),
          onStored: resolve,
        })
        run(async () => {
          const failure = await outcome
          if (start !== starts || failure === undefined || failure === 'rejected') return
          connectFailure = failure
          changed(opened)
        })
        await showFor(origin)
        return void (await Promise.race([isStored, outcome]))
      }
      case 'resetConnectionTimeout':
        if (origin !== undefined && timeoutMs !== undefined) {
          source.resetTimeout(origin, Math.round(timeoutMs / 1000))
        }
        return source.wake()
      // The page ends its connection and starts another one itself, in any order with this message.
      case 'reinitConnection':
      case 'walletconnect_connect':
      case 'walletconnect_session_update':
      case 'walletconnect_event':
      case 'walletconnect_disconnect':
        return source.wake()
    }
  }

  api.runtime.onMessage.addListener((message: unknown, sender, respond) => {
    if (sender.id !== api.runtime.id) return false
    if (isOwnPage(sender)) {
      // Only our own windows send these.
      void serveCall(wallet, message as WalletCall, reportError).then((response) =>
        respond({ ...response, workerId }),
      )
      return true
    }
    run(() => pageEventArrived(message, sender).finally(() => respond(ACKNOWLEDGED)))
    return true
  })

  api.runtime.onConnect.addListener((port) => {
    if (port.name !== WINDOW_PORT || port.sender === undefined || !isOwnPage(port.sender)) {
      return port.disconnect()
    }
    ports.add(port)
    const { url, tab } = port.sender
    run(() => approval.pageConnected(url))
    let isClosing = false
    port.onMessage.addListener((message: unknown) => {
      isClosing = message === WINDOW_CLOSING
      if (isClosing) run(() => approval.pageClosing(tab?.windowId))
    })
    port.onDisconnect.addListener(() => {
      ports.delete(port)
      if (!isClosing) return
      // A request arrived, or a page began to connect, while the window was closing because none waited.
      run(showWaiting)
      // The closing window may have been taken for the one of that request. Then another opens only after a moment.
      setTimeout(() => run(showWaiting), APPROVAL_WINDOW_INTERVAL_MS)
    })
    run(async () => {
      const { source } = await wallet()
      if (ports.has(port)) port.postMessage(snapshotOf(source))
    })
  })

  api.tabs.onRemoved.addListener((closed) =>
    run(() => pages.remove(({ tabId }) => tabId === closed)),
  )
  api.alarms.onAlarm.addListener(wake)
  api.runtime.onStartup.addListener(wake)
  api.runtime.onInstalled.addListener(() => {
    run(() => registerSiteScripts(api))
    run(() => restoreSiteScripts(api))
    wake()
  })
  api.permissions.onAdded.addListener(() => run(() => registerSiteScripts(api)))
  api.permissions.onRemoved.addListener(() => run(() => registerSiteScripts(api)))

  run(() => continueRestoring(api))
  run(() => pages.withdrawLeft())
  setTimeout(() => run(closeBlank), CONNECT_LIMIT_MS)
  setInterval(() => run(keepAlive), KEEP_ALIVE_MS)

  async function closeBlank(): Promise<void> {
    const isConnected = (tabId: number) =>
      [...ports].some(({ sender }) => sender?.tab?.id === tabId)
    if (await approval.closeBlank(isConnected)) await showWaiting()
  }

  /** Calling the extension's API restarts the browser's idle time. */
  async function keepAlive(): Promise<void> {
    const { source } = (await opened) ?? {}
    if (source !== undefined && source.waiting() > 0) await api.runtime.getPlatformInfo()
  }

  /** Whether the sender, as reported by the browser, is one of our own windows and not a script in a page. */
  function isOwnPage({ id, url }: chrome.runtime.MessageSender): boolean {
    return id === api.runtime.id && url !== undefined && url.startsWith(api.runtime.getURL(''))
  }
}

/** The origin of the tab that contains the page; empty if the browser hides it, as it may where the wallet is not enabled. */
function tabOrigin({ tab }: chrome.runtime.MessageSender): string {
  return tab?.url === undefined ? '' : new URL(tab.url).origin
}

/** The page's origin as the browser reports it. Sandboxed pages have none. */
function pageOrigin({ origin }: chrome.runtime.MessageSender): string | undefined {
  return origin === undefined || origin === 'null' ? undefined : origin
}
