import { browserPlatform } from './browser-platform.ts'
import { type Engine, startEngine } from './engine.ts'
import type { KeyedStorage } from './keyed-storage.ts'
import type { PageEvent } from './page-event.ts'
import { parsedJson } from './parsed-json.ts'
import type { TelemetrySettings } from './settings.ts'

/** Starts the engine with the early events of this page and of a previous page that closed before its engine was loaded. */
export function startTelemetry(
  window: Window,
  storage: KeyedStorage,
  settings: TelemetrySettings,
  early: { readonly key: string; readonly events: readonly PageEvent[] },
): Engine {
  const engine = startEngine(browserPlatform(window, storage, settings), settings)
  const { told: stored } = parsedJson(storage.read(early.key))
  storage.remove(early.key)
  for (const event of Array.isArray(stored) ? stored.filter(isPageEvent) : []) engine.track(event)
  for (const event of early.events) engine.track(event)
  return engine
}

/** Validates a stored event. */
function isPageEvent(value: unknown): value is PageEvent {
  const { event, eventType, pagePath, search } = (value ?? {}) as Readonly<Record<string, unknown>>
  return [event, eventType, pagePath, search].every((text) => typeof text === 'string')
}
