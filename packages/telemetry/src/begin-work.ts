import * as z from 'zod/mini'
import { browserPlatform } from './browser-platform.ts'
import { type Engine, startEngine } from './engine.ts'
import type { Happened } from './happened.ts'
import type { KeyedStorage } from './keyed-storage.ts'
import { parsedJson } from './parsed-json.ts'
import type { TelemetrySettings } from './settings.ts'

const Early = z.array(
  z.object({
    event: z.string(),
    eventType: z.string(),
    pagePath: z.string(),
    search: z.string(),
    dontDedupe: z.optional(z.boolean()),
  }),
)

/** Starts the engine of a window, with what this page and one that was left too soon have told before. */
export function beginWork(
  window: Window,
  storage: KeyedStorage,
  settings: TelemetrySettings,
  early: { readonly key: string; readonly told: readonly Happened[] },
): Engine {
  const engine = startEngine(browserPlatform(window, storage), settings)
  const left = Early.safeParse(parsedJson(storage.read(early.key)))
  storage.remove(early.key)
  for (const { dontDedupe = false, ...told } of left.success ? left.data : []) {
    engine.tell({ ...told, dontDedupe })
  }
  for (const told of early.told) engine.tell(told)
  return engine
}
