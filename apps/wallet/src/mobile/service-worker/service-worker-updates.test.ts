import { expect, test } from 'vitest'
import { serviceWorkerUpdates } from './service-worker-updates.ts'

class FakeWorker extends EventTarget {
  state = 'installing'
  readonly posted: unknown[] = []
  postMessage(message: unknown) {
    this.posted.push(message)
  }
  /** The worker has stored its version. */
  install() {
    this.state = 'installed'
    this.dispatchEvent(new Event('statechange'))
  }
}

/** A window of the wallet, that a stored version runs or not. */
async function aWindow({ isControlled = true, waiting = null as FakeWorker | null } = {}) {
  const registration = Object.assign(new EventTarget(), {
    waiting,
    installing: null as FakeWorker | null,
    update: async () => undefined,
  })
  const scopes: unknown[] = []
  const serviceWorker = Object.assign(new EventTarget(), {
    controller: isControlled ? {} : null,
    register: async (url: string, { scope }: { scope: string }) => {
      scopes.push([url, scope])
      return registration
    },
  })
  let reloads = 0
  // Only the parts of a window that are used.
  const window = {
    navigator: { serviceWorker },
    setInterval: () => 0,
    location: { reload: () => (reloads += 1) },
  } as unknown as Window
  const page = { orgCode: 'FIGURE', offline: true } as Parameters<typeof serviceWorkerUpdates>[0]
  const updates = serviceWorkerUpdates(page, window)
  await new Promise((resolve) => setTimeout(resolve))
  return {
    updates,
    scopes,
    /** The browser finds another version of the worker. */
    find() {
      const worker = new FakeWorker()
      registration.installing = worker
      registration.dispatchEvent(new Event('updatefound'))
      return worker
    },
    /** Another version takes over. */
    replace: () => serviceWorker.dispatchEvent(new Event('controllerchange')),
    reloads: () => reloads,
  }
}

test('9 a newer version is offered once it is stored, and replaces the running one when the user agrees', async () => {
  const { updates, scopes, find, replace, reloads } = await aWindow()
  expect(scopes).toEqual([['/mobile-wallet/service-worker.js?orgCode=FIGURE', '/mobile-wallet']])
  let changes = 0
  updates.subscribe(() => {
    changes += 1
  })
  const worker = find()
  expect([updates.isReady(), changes]).toEqual([false, 0])
  worker.install()
  expect([updates.isReady(), changes]).toEqual([true, 1])
  expect([worker.posted, reloads()]).toEqual([[], 0])
  updates.install()
  expect(worker.posted).toEqual(['update'])
  replace()
  expect(reloads()).toBe(1)
})

test('9 a newer version that was stored before this visit is offered at once', async () => {
  const { updates } = await aWindow({ waiting: new FakeWorker() })
  expect(updates.isReady()).toBe(true)
})

test('9 the first version is not an update: nothing is offered, and the page does not load again', async () => {
  const { updates, find, replace, reloads } = await aWindow({ isControlled: false })
  find().install()
  replace()
  expect([updates.isReady(), reloads()]).toEqual([false, 0])
})
