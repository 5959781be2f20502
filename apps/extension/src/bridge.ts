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
let waiting = 0
let delivered = Promise.resolve()

/** Another script of this version may be in the page already: the worker may be stopped while it injects scripts after an update. */
const OTHER = 'portico-wallet-bridge'
if (Reflect.get(globalThis, OTHER)?.() !== true) {
  // Without an ID, the extension was updated or removed since.
  Object.assign(globalThis, { [OTHER]: () => api.runtime.id !== undefined })
  serve()
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
  isOpen = true
  if (waiting >= WAITING_MAXIMUM) return
  waiting += 1
  delivered = delivered.then(async () => {
    await deliver(event)
    waiting -= 1
  })
}

/** A browser may stop the worker while it receives the event, which is then lost. */
async function deliver(event: PageEvent): Promise<void> {
  for (let attempt = 1; !(await send(event)) && attempt < ATTEMPTS; attempt += 1) {
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
