import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { expiryScript } from './expiry-script.ts'

const MINUTE_MS = 60_000
const RETURN_TO = '/oidc/interaction/uid?state=</script>'

interface Field {
  readonly type: string
  readonly value: string
  readonly defaultValue: string
}

/** A page with the script. Its clock advances without its timers, as on a device that sleeps. */
function openPage({ path = '/auth/login', fields = [] as Field[], isDialogOpen = false } = {}) {
  let now = 0
  let timer: (() => void) | undefined
  const listeners = new Map<string, () => void>()
  const visited: string[] = []
  runInNewContext(expiryScript(30 * MINUTE_MS, RETURN_TO), {
    Date: { now: () => now },
    document: {
      querySelector: () => (isDialogOpen ? {} : null),
      querySelectorAll: () => fields,
    },
    location: { pathname: path, replace: (to: string) => visited.push(to) },
    setTimeout: (callback: () => void) => {
      timer = callback
    },
    addEventListener: (type: string, listener: () => void) => listeners.set(type, listener),
  })
  return {
    visited,
    pass: (minutes: number) => {
      now += minutes * MINUTE_MS
    },
    ring: () => timer?.(),
    happen: (type: string) => listeners.get(type)?.(),
  }
}

test('a login page says that the sign-in has expired, by its timer or before the first key after a sleep', () => {
  const page = openPage()
  page.pass(29)
  page.happen('focusin')
  expect(page.visited).toEqual([])
  page.pass(1)
  page.ring()
  expect(page.visited).toEqual([RETURN_TO])
  for (const type of ['focusin', 'keydown', 'pageshow', 'visibilitychange']) {
    const asleep = openPage()
    asleep.pass(600)
    asleep.happen(type)
    expect(asleep.visited).toEqual([RETURN_TO])
  }
})

const typed = (type: string) => [{ type, value: 'typed', defaultValue: '' }]

test.each([
  ['a password was typed', { fields: typed('password') }],
  ['a dialog asks for a code', { isDialogOpen: true }],
  ['a registration is filled in', { path: '/auth/register', fields: typed('text') }],
])('an expired sign-in discards nothing while %s', (_, options) => {
  const page = openPage(options)
  page.pass(31)
  page.happen('keydown')
  expect(page.visited).toEqual([])
})

test('an email address alone does not keep an expired login page open', () => {
  const page = openPage({ fields: typed('email') })
  page.pass(31)
  page.happen('focusin')
  expect(page.visited).toEqual([RETURN_TO])
  expect(expiryScript(1, RETURN_TO)).not.toContain('</script>')
})
