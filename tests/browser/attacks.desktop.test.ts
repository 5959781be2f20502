/**
 * Script injected through every displayed text, on a server with organizations that contain attacks. Every page also fails
 * its test if it violates its policy, requests anything from a third party, or throws.
 */
import type { Page } from '@playwright/test'
import { SCRIPT, startHostileServer } from '../attacks/support/hostile-server.ts'
import { test as base, expect, type Portico, porticoAt } from './support/portico.ts'
import { accountButton, codeField, ready, visit } from './support/steps.ts'

/** A valid address that resembles script as closely as possible. */
const hostileEmail = () =>
  `'-pwned=1-'{{7*7}}\${pwned=1}\`.${Math.random().toString(36).slice(2)}@people.example`

const test = base.extend<object, { portico: Portico }>({
  portico: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from this pattern
    async ({}, use) => {
      const server = await startHostileServer()
      await use(porticoAt(server.url))
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

/** Detects the effect of an injected script, from before the first page. */
async function expectNothingRuns(page: Page): Promise<() => Promise<void>> {
  const effects: string[] = []
  page.on('dialog', (dialog) => {
    effects.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/x')) effects.push(`requested ${request.url()}`)
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => {
      console.error(`violated ${violatedDirective}: ${sample}`)
    })
  })
  return async () => {
    expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false)
    // No text has become an element or an attribute.
    expect(
      await page.locator('[onerror], [onload], [onclick], [onmouseover], img[src="x"]').count(),
    ).toBe(0)
    expect(
      await page.locator('a[href^="javascript:" i], form[action^="javascript:" i]').count(),
    ).toBe(0)
    expect(effects).toEqual([])
  }
}

const hostileQuery = (names: readonly string[], value: string) =>
  new URLSearchParams(Object.fromEntries(names.map((name) => [name, value]))).toString()

test('script: nothing injected through a query, a path or an organization runs on any page', async ({
  page,
}) => {
  const check = await expectNothingRuns(page)
  const names = [
    'email',
    'redirectUrl',
    'flow',
    'label',
    'otp',
    'state',
    'code',
    'orgCode',
    'utm_source',
  ]
  const queries = [
    hostileQuery(names, SCRIPT),
    hostileQuery(names, 'javascript:pwned=1'),
    hostileQuery(names, '</script><script>pwned=1</script>'),
    `label=apollo&${hostileQuery(['redirectUrl'], `/x?label=${SCRIPT}`)}`,
    `orgCode=HOSTILE_HELOC&${hostileQuery(['email'], `"${SCRIPT}"@people.example`)}`,
  ]
  for (const query of queries) {
    for (const path of ['/auth/login', '/auth/register', '/auth/logout']) {
      await visit(page, `${path}?${query}`)
      // Logging out navigates by itself, and a navigating page cannot be inspected.
      if (path === '/auth/logout') await page.waitForURL((url) => url.pathname !== path)
      await ready(page)
      await check()
    }
  }
  for (const path of [
    `/nowhere/${encodeURIComponent(SCRIPT)}?${queries[0]}`,
    `/account/heloc?${queries[0]}`,
    `/dev/mailbox?to=${encodeURIComponent(SCRIPT)}`,
    '/docs/plain',
  ]) {
    await page.goto(path)
    await check()
  }
})

test('script: typed text is shown as text, in fields, messages and mails', async ({
  page,
  portico,
}) => {
  const check = await expectNothingRuns(page)
  await visit(page, '/auth/login')
  await page.getByLabel('Email', { exact: true }).fill(SCRIPT)
  await page.getByLabel('Password', { exact: true }).fill(SCRIPT)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByText(/valid email/i).first()).toBeVisible()
  await check()

  const email = hostileEmail()
  await visit(page, `/auth/register?orgCode=HOSTILE_HELOC&email=${encodeURIComponent(email)}`)
  await page.locator('form').getByRole('button').last().click()
  const code = codeField(page)
  await expect(code).toBeVisible()
  await check()
  await code.fill(await portico.passcode(email))
  const passwords = page.locator('input[autocomplete="new-password"]')
  await expect(passwords.first()).toBeVisible()
  for (const each of [0, 1]) await passwords.nth(each).fill(`${SCRIPT} marble-kettle-58`)
  await page
    .locator('form')
    .getByRole('button', { name: /password|login|continue/i })
    .last()
    .click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(accountButton(page)).toHaveAccessibleName(`Your account, ${email}`)
  await check()

  await page.goto(`/dev/mailbox?to=${encodeURIComponent(email)}`)
  await expect(page.getByText(`to ${email}`).first()).toBeVisible()
  await check()
})

test('script: the policy blocks injected markup', async ({ page, complaints }) => {
  for (const path of ['/auth/login', '/nowhere', '/account/heloc', '/dev/mailbox', '/docs/plain']) {
    await page.goto(path)
    const outcome = await page.evaluate(async () => {
      const attempt = (work: () => unknown) => {
        try {
          work()
          return 'done'
        } catch (error) {
          return error instanceof Error ? error.name : String(error)
        }
      }
      const ran = {
        markup: attempt(() => {
          document.body.innerHTML += '<img src=x onerror=pwned=1>'
        }),
        inserted: attempt(() => {
          document.createElement('script').text = 'pwned=1'
        }),
        policy: attempt(() =>
          (
            globalThis as unknown as {
              trustedTypes: { createPolicy: (name: string, rules: object) => unknown }
            }
          ).trustedTypes.createPolicy('attacker', { createHTML: (text: string) => text }),
        ),
      }
      // In a separate task, because code evaluated by the test may itself evaluate strings.
      const evaluated = await new Promise((resolve) => {
        // oxlint-disable-next-line typescript/no-implied-eval -- the test expects the refusal
        setTimeout(() => resolve(attempt(() => new Function('pwned=1')())))
      })
      // Elements created by hand need no sink, but a nonce and a same-origin URL.
      const link = document.createElement('a')
      link.href = 'javascript:pwned=1'
      document.body.append(link)
      link.click()
      const image = document.createElement('img')
      image.setAttribute('src', 'http://127.0.0.1:1/beacon')
      document.body.append(image)
      const frame = document.createElement('iframe')
      frame.src = 'http://127.0.0.1:1/frame'
      document.body.append(frame)
      const base = document.createElement('base')
      base.href = 'http://127.0.0.1:1/'
      document.head.append(base)
      const sent = await fetch('http://127.0.0.1:1/steal').then(
        () => 'sent',
        () => 'refused',
      )
      return { ...ran, evaluated, sent, pwned: 'pwned' in globalThis, base: document.baseURI }
    })
    expect(outcome, path).toMatchObject({
      markup: 'TypeError',
      inserted: 'TypeError',
      evaluated: 'EvalError',
      policy: 'TypeError',
      sent: 'refused',
      pwned: false,
      base: page.url(),
    })
  }
  // The browser reported each violation; none of the requests was made.
  expect(complaints.filter((each) => each.startsWith('threw'))).toEqual([])
  complaints.length = 0
})
