import { browserPlatform } from './browser-platform.ts'
import { type Engine, startEngine } from './engine.ts'
import type { Happened } from './happened.ts'
import type { KeyedStorage } from './keyed-storage.ts'
import { parsedJson } from './parsed-json.ts'
import type { TelemetrySettings } from './settings.ts'

/** Starts the engine of a window, with what this page and one that was left too soon have told before. */
export function beginWork(
  window: Window,
  storage: KeyedStorage,
  settings: TelemetrySettings,
  early: { readonly key: string; readonly told: readonly Happened[] },
): Engine {
  const engine = startEngine(browserPlatform(window, storage, settings), settings)
  const { told: left } = parsedJson(storage.read(early.key))
  storage.remove(early.key)
  for (const told of Array.isArray(left) ? left.filter(isTold) : []) engine.tell(told)
  for (const told of early.told) engine.tell(told)
  return engine
}

/** Whether a stored value was told by a page; its query was not stored with it. */
function isTold(value: unknown): value is Happened {
  const { event, eventType, pagePath, search } = (value ?? {}) as Readonly<Record<string, unknown>>
  return [event, eventType, pagePath, search].every((text) => typeof text === 'string')
}
