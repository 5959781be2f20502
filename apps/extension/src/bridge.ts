/**
 * Runs beside the page in a world of its own and forwards the page's events to the worker (protocol 13). The page gets no
 * response here: everything returns over the relay.
 */
import { api } from './browser-api.ts'
import { ACKNOWLEDGED, isReinitConnection, type PageEvent, readPageEvent } from './page-event.ts'
import type { PageMessage } from './page-message.ts'
import { PREDECESSOR } from './predecessor.ts'

/** How often an event is sent until the worker has acknowledged it. */
const ATTEMPTS = 6
/** The pause before the second attempt; each further one is longer. */
const RETRY_MS = 250
/** How long an attempt may take. In Firefox, one that reaches a worker that is being stopped may never end. */
const ATTEMPT_MS = 5000

/** Whether the worker counts this page as open. */
let isOpen = false
/** The event that is being sent, then those that wait, at most one of each name. */
let waiting: PageEvent[] = []

/** Whether the script of a newer version serves this page. */
let isReplaced = false

/** Whether the extension of this script still exists. After an update, Chromium takes the interface away from it. */
const isAlive = () => (api.runtime as typeof api.runtime | undefined)?.id !== undefined

/** In Chromium, the worker puts this script into pages that were open during an update, and may be stopped before it has noted that. */
const KEY = 'portico-wallet-bridge'

const REPLACED_EVENT = `${ANNOUNCED_EVENT} replaced`

const earlier: typeof isAlive | undefined = Reflect.get(globalThis, KEY)
if (earlier?.() !== true) {
  Object.assign(globalThis, { [KEY]: isAlive })
  serve()
  document.dispatchEvent(new Event(REPLACED_EVENT))
  document.addEventListener(REPLACED_EVENT, handOver)
}

function serve(): void {
  for (const { property, event: name } of [BRIDGE_NAMES, PREDECESSOR]) {
    document.addEventListener(name, (event) => {
      const pageEvent = readPageEvent(Reflect.get(event, 'detail'))
      if (pageEvent !== undefined && isAnnounced(property)) forward(pageEvent)
    })
  }

  window.addEventListener('message', ({ source, data }) => {
    if (source !== window || !isReinitConnection(data)) return
    if (isAnnounced(BRIDGE_NAMES.property)) forward({ event: 'reinitConnection' })
  })

  window.addEventListener('pagehide', () => {
    if (!isOpen) return
    isOpen = false
    // Nothing runs here later, so it can be sent only once.
    void send({ event: 'left' })
  })
}

/**
 * In Chromium, an update leaves this script in open pages without its extension. The new version's script is in another world: it
 * gets what waits here as events of the page.
 */
function handOver(): void {
  if (isReplaced || isAlive()) return
  isReplaced = true
  for (const { event, uri, timeoutMs } of waiting) {
    const detail = { event, uri, data: timeoutMs }
    document.dispatchEvent(new CustomEvent(BRIDGE_NAMES.event, { detail }))
  }
}

/** Whether the property is this extension's and not another wallet's, which handles the page's events itself. */
function isAnnounced(property: string): boolean {
  return !document.dispatchEvent(new Event(`${ANNOUNCED_EVENT} ${property}`, { cancelable: true }))
}

/**
 * Sends events in their order, each until the worker has acknowledged it. An event replaces an earlier one of its name that
 * still waits: only the last timeout and the last attempt to connect count, and the others only wake the worker. So a page
 * that sends many at once does not lose the one that starts the wallet.
 */
function forward(event: PageEvent): void {
  if (isReplaced) return
  isOpen = true
  const [first, ...others] = waiting
  if (first === undefined) {
    waiting = [event]
    void deliverAll()
  } else {
    waiting = [first, ...others.filter(({ event: name }) => name !== event.event), event]
  }
}

async function deliverAll(): Promise<void> {
  for (let [next] = waiting; next !== undefined && isAlive(); [next] = waiting) {
    await deliver(next)
    if (isAlive()) waiting.shift()
  }
}

/** A browser may stop the worker while it receives the event, which is then lost. */
async function deliver(event: PageEvent): Promise<void> {
  for (let attempt = 1; isAlive() && attempt <= ATTEMPTS; attempt += 1) {
    if (await send(event)) return
    await new Promise((resolve) => setTimeout(resolve, attempt * RETRY_MS))
  }
}

/** Whether the worker has acknowledged the event. */
async function send(event: PageEvent | { readonly event: 'left' }): Promise<boolean> {
  const { availWidth: width, availHeight: height } = screen
  const [left = 0, top = 0] = ['availLeft', 'availTop'].map((name) =>
    Number(Reflect.get(screen, name)),
  )
  const message: PageMessage = { ...event, screen: { left, top, width, height } }
  try {
    const isLate = new Promise((resolve) => setTimeout(resolve, ATTEMPT_MS))
    return (await Promise.race([api.runtime.sendMessage(message), isLate])) === ACKNOWLEDGED
  } catch {
    // The worker was stopped, or the extension was updated or removed: then this script remains in the page without it.
    return false
  }
}
