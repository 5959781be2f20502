/**
 * Runs beside the page in a world of its own and forwards the page's events to the worker (protocol 13). The page gets no
 * response here: everything returns over the relay.
 */
import { api } from './browser-api.ts'
import { isReinitConnection, type PageEvent, readPageEvent } from './page-event.ts'
import type { PageMessage } from './page-message.ts'
import { PREDECESSOR } from './predecessor.ts'

/** Whether the worker knows this page. */
let isKnown = false

for (const name of [BRIDGE_NAMES.event, PREDECESSOR.event]) {
  document.addEventListener(name, (event) => {
    const pageEvent = readPageEvent(Reflect.get(event, 'detail'))
    if (pageEvent !== undefined) forward(pageEvent)
  })
}

window.addEventListener('message', ({ source, data }) => {
  if (source === window && isReinitConnection(data)) forward({ event: 'reinitConnection' })
})

window.addEventListener('pagehide', () => {
  if (isKnown) forward({ event: 'left' })
})

function forward(event: PageEvent | { readonly event: 'left' }): void {
  isKnown = event.event !== 'left'
  const { availWidth: width, availHeight: height } = screen
  const [left = 0, top = 0] = ['availLeft', 'availTop'].map((name) =>
    Number(Reflect.get(screen, name)),
  )
  const message: PageMessage = { ...event, screen: { left, top, width, height } }
  // After an update or removal this script remains in open pages without its extension, until they are reloaded.
  try {
    api.runtime.sendMessage(message).catch(() => undefined)
  } catch {}
}
