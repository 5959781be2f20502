/**
 * Runs in the page's own world before its scripts, and announces the extension (protocol 13). Another wallet that is already
 * announced stays, and one that comes later may replace the property. The bridge, which cannot read the page's properties,
 * dispatches an event to find out whether the property is ours.
 */
import { PREDECESSOR } from './predecessor.ts'

announce(BRIDGE_NAMES.property, { version: EXTENSION_VERSION, isFigure: true })
announce(PREDECESSOR.property, { version: EXTENSION_VERSION, isProvenance: true })

function announce(property: string, announcement: object): void {
  if (Reflect.has(window, property)) return
  const own = Object.freeze(announcement)
  Object.defineProperty(window, property, { value: own, configurable: true, writable: true })
  document.addEventListener(`${ANNOUNCED_EVENT} ${property}`, (event) => {
    if (Reflect.get(window, property) === own) event.preventDefault()
  })
}
