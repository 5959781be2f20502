import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BrowserApi } from '../browser-api.ts'
import { approvalWindow } from './approval-window.ts'
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

test('7.4 a request is shown in a new window if the open one is closed at that moment', async () => {
  const created: number[] = []
  const windows = {
    create: async () => ({ id: created.push(created.length) }),
    get: async (id: number) => ({ id }),
    update: async () => {
      throw new Error('No window with id: 1')
    },
  }
  const stored: Record<string, unknown> = {}
  const session = {
    get: async () => stored,
    set: async (values: object) => void Object.assign(stored, values),
  }
  const api = {
    runtime: { getURL: (path: string) => path },
    storage: { session },
    windows,
  } as unknown as BrowserApi // Only these parts are used.
  const approval = approvalWindow(api)
  await approval.show(undefined)
  await approval.show(undefined)
  expect(created).toHaveLength(2)
})
