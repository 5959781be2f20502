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
/** Events that wait until the worker has acknowledged earlier ones. Further ones are dropped. */
const WAITING_MAXIMUM = 50

/** Whether the worker counts this page as open. */
let isOpen = false
/** The events that wait, with the one that is being sent. */
const waiting: PageEvent[] = []
let delivered = Promise.resolve()

/**
 * In Chromium, an update leaves this script in open pages without its extension, until the worker injects the new version into
 * the same world. It may do so twice, because it may be stopped in between.
 */
interface Bridge {
  /** Whether its extension still exists. */
  readonly isAlive: () => boolean
  readonly forward: (event: PageEvent) => void
  /** Events for the next version, which is not here yet. */
  readonly undelivered: PageEvent[]
}

const KEY = 'portico-wallet-bridge'
const current = (): Bridge | undefined => Reflect.get(globalThis, KEY)
const bridge: Bridge = { isAlive: () => api.runtime.id !== undefined, forward, undelivered: [] }

const earlier = current()
if (earlier?.isAlive() !== true) {
  Object.assign(globalThis, { [KEY]: bridge })
  serve()
  for (const event of earlier?.undelivered ?? []) forward(event)
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

/** Whether the property is this extension's and not another wallet's, which handles the page's events itself. */
function isAnnounced(property: string): boolean {
  return !document.dispatchEvent(new Event(`${ANNOUNCED_EVENT} ${property}`, { cancelable: true }))
}

/** Sends events in their order, each until the worker has acknowledged it. */
function forward(event: PageEvent): void {
  if (current() !== bridge) return
  isOpen = true
  // Without data it only wakes the worker, and one that waits already does so. A page that sends many must not displace others.
  const isRepeated =
    Object.keys(event).length === 1 && waiting.slice(1).at(-1)?.event === event.event
  if (isRepeated || waiting.length >= WAITING_MAXIMUM) return
  waiting.push(event)
  delivered = delivered.then(async () => {
    await deliver(event)
    waiting.shift()
  })
}

/** A browser may stop the worker while it receives the event, which is then lost. */
async function deliver(event: PageEvent): Promise<void> {
  for (let attempt = 1; !(await send(event)) && attempt < ATTEMPTS; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, attempt * RETRY_MS))
    if (bridge.isAlive()) continue
    const next = current()
    if (next === undefined || next === bridge) bridge.undelivered.push(event)
    else next.forward(event)
    return
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
