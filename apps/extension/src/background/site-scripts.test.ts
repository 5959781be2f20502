import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BrowserApi } from '../browser-api.ts'
import { registerSiteScripts } from './site-scripts.ts'

beforeEach(() => {
  let queue: Promise<unknown> = Promise.resolve()
  const request = (_: string, task: () => Promise<unknown>) => {
    const result = queue.then(task)
    queue = result.catch(() => undefined)
    return result
  }
  vi.stubGlobal('navigator', { locks: { request } })
})
afterEach(() => void vi.unstubAllGlobals())

test('7.4 two changes of the permissions at once leave the scripts on the sites of the second', async () => {
  let origins = ['https://one.example/*']
  let registered: chrome.scripting.RegisteredContentScript[] = []
  const scripting = {
    getRegisteredContentScripts: async () => registered,
    unregisterContentScripts: async () => {
      registered = []
    },
    registerContentScripts: async (scripts: typeof registered) => {
      if (registered.length > 0) throw new Error("Duplicate script ID 'announce'")
      registered = scripts
    },
  }
  const api = {
    permissions: { getAll: async () => ({ origins }) },
    runtime: { getManifest: () => ({}) },
    scripting,
  } as unknown as BrowserApi // Only these parts are used.
  const first = registerSiteScripts(api)
  origins = ['https://one.example/*', 'https://two.example/*']
  await Promise.all([first, registerSiteScripts(api)])
  expect(registered.map(({ matches }) => matches)).toEqual([origins, origins])
})
