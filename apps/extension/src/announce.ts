/**
 * Runs in the page's own world before its scripts, and announces the extension (protocol 13). Another wallet that is already
 * announced stays, and one that comes later may replace the property.
 */
import { PREDECESSOR } from './predecessor.ts'

announce(BRIDGE_NAMES.property, { version: EXTENSION_VERSION, isFigure: true })
announce(PREDECESSOR.property, { version: EXTENSION_VERSION, isProvenance: true })

function announce(property: string, announcement: object): void {
  if (Reflect.has(window, property)) return
  Object.defineProperty(window, property, {
    value: Object.freeze(announcement),
    configurable: true,
    writable: true,
  })
}
