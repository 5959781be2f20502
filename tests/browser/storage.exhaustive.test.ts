/** The front door with full, blocked or corrupted storage works without confusing messages (§3). */
import type { Page } from '@playwright/test'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { PEOPLE } from '../support/people.ts'
import { expect, test, watch } from './support/portico.ts'
import { logIn, logOut, onDashboard, register, visit } from './support/steps.ts'

/** Every storage key of the front door. */
const NAMES = [...Object.values(STORAGE_KEYS), 'pending-code', 'pending-step', 'walletconnect']

/** Corrupted values: from another page, truncated, of another type, or too large for a header. */
const CORRUPTED = ['', '[]', '{"a":', '{"__proto__":{"a":1}}', 'Bearer é\u{1f4a5}\n']

const STORES_NOTHING: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  blocked: (page) =>
    page.addInitScript(() => {
      for (const storage of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, storage, {
          get: () => {
            throw new DOMException('blocked', 'SecurityError')
          },
        })
      }
    }),
  full: (page) =>
    page.addInitScript(() => {
      // Values stored before it was full are still there.
      if (sessionStorage.getItem('was-here') === null) {
        sessionStorage.setItem('was-here', 'yes')
        localStorage.setItem('jwt', 'Bearer of.another.day')
      }
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    }),
}

const STATES: typeof STORES_NOTHING = {
  ...STORES_NOTHING,
  ...Object.fromEntries(
    CORRUPTED.map((rubbish) => [
      `corrupted by ${JSON.stringify(rubbish)}`,
      (page: Page) =>
        page.addInitScript(
          ([names, text]) => {
            if (sessionStorage.getItem('was-here') !== null) return
            sessionStorage.setItem('was-here', 'yes')
            for (const name of names) {
              localStorage.setItem(name, text)
              sessionStorage.setItem(name, text)
            }
          },
          [NAMES, rubbish] as const,
        ),
    ]),
  ),
}

/** Messages that the page shows on its own. */
const notices = (page: Page) =>
  page.getByRole('alert').or(page.getByRole('alertdialog')).filter({ visible: true })

test('3 storage full, blocked or corrupted: the front door works without confusing messages', async ({
  browser,
  portico,
  complaints,
}) => {
  for (const [state, begin] of Object.entries(STATES)) {
    await test.step(state, async () => {
      const context = await browser.newContext({ baseURL: portico.url, reducedMotion: 'reduce' })
      const page = await context.newPage()
      watch(page, portico.url, complaints)
      await begin(page)
      if (state in STORES_NOTHING) {
        // Codes, a password and the dashboard: everything that uses storage.
        await register(page, portico)
      } else {
        await visit(page, '/auth/login')
        await expect(notices(page)).toHaveCount(0)
        await logIn(page, PEOPLE.plain)
        await onDashboard(page, PEOPLE.plain.email)
      }
      await expect(notices(page)).toHaveCount(0)
      await visit(page, '/dashboard/security')
      await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
      await expect(notices(page)).toHaveCount(0)
      await visit(page, '/dashboard')
      await logOut(page)
      await expect(notices(page)).toHaveCount(0)
      await context.close()
    })
  }
})
