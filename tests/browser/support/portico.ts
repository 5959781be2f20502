/**
 * Fixtures of every browser test: its own server on an empty embedded database, a mailbox, and a page
 * that fails its test if it violates its security policy, requests anything from a third party, or throws.
 */
import { randomUUID } from 'node:crypto'
import { test as base, expect, type Page } from '@playwright/test'
import { startServer } from '../../support/server-process.ts'

export interface Portico {
  readonly url: string
  /** The newest passcode mailed to an address; waits until it differs from `before`. */
  readonly passcode: (email: string, before?: string) => Promise<string>
  readonly subjects: (email: string) => Promise<readonly string[]>
}

interface Fixtures {
  /** Expected errors of the page: the browser itself logs a refused call. */
  readonly complaints: string[]
}

/** For tests that are independent of the screen: server, storage, tabs. */
export const DESKTOP_ONLY = { tag: '@desktop' } as const

/** For long paths whose screens other tests already show on a phone: on the phone only in `npm run test:exhaustive`. */
export const DESKTOP_FIRST = { tag: '@desktop-first' } as const

/** Long paths and variants whose rules faster tests also cover: only in `npm run test:exhaustive`, on a wide screen. */
export const EXHAUSTIVE = { tag: '@exhaustive' } as const

/** A unique address. */
export function newEmail(): string {
  return `visitor.${randomUUID().slice(0, 8)}@people.example`
}

/** A strong password. */
export const STRONG_PASSWORD = 'marble-kettle-58-outpost'

export { expect }

/** The test function of the browser suites. */
export const test = base.extend<Fixtures, { portico: Portico }>({
  portico: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from this pattern
    async ({}, use) => {
      const server = await startServer()
      await use(porticoAt(server.url))
      await server.stop()
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ portico }, use) => use(portico.url),

  complaints: [
    async ({ page, portico, baseURL }, use) => {
      const complaints: string[] = []
      watch(page, baseURL ?? portico.url, complaints)
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

const FAILED_CALL = /^(?:Failed to load resource|WebSocket connection to \S+ failed)/

/** Reports everything that a page must not do. */
export function watch(page: Page, origin: string, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`threw: ${error.message}`))
  page.on('console', (message) => {
    // The browser itself logs every refused or failed call; tests check how the page handles it.
    if (message.type() === 'error' && !FAILED_CALL.test(message.text())) {
      complaints.push(`console: ${message.text()}`)
    }
  })
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (protocol.startsWith('http') && asked !== origin) {
      complaints.push(`third party: ${request.url()}`)
    }
  })
}

export function porticoAt(url: string): Portico {
  const messages = async (email: string) => {
    const response = await fetch(`${url}/dev/mailbox/messages?to=${encodeURIComponent(email)}`)
    return (await response.json()) as { subject: string; text: string }[]
  }
  return {
    url,
    async passcode(email, before) {
      let code: string | undefined
      await expect
        .poll(async () => {
          const texts = (await messages(email)).map(({ text }) => text)
          code = texts.map((text) => /\b\d{6}\b/.exec(text)?.[0]).find((found) => found)
          return code !== undefined && code !== before
        })
        .toBe(true)
      return code ?? ''
    },
    subjects: async (email) => (await messages(email)).map(({ subject }) => subject),
  }
}
