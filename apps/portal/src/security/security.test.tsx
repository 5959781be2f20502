import { ApiError } from '@portico/client/api-error'
import { fakeClient, refusal } from '@portico/client/testing'
import { after, moves } from '@portico/flow/testing'
import { neverAborted, renderStatic } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { nextStep } from './next-step.ts'
import { type Event, type SelectedChange, type State, security } from './security.flow.ts'
import { events, inputs, overview } from './security.samples.ts'
import { securityServices } from './security.services.ts'
import { SecurityView } from './security.view.tsx'

const read: Event = { type: 'overviewRead', overview }
const chosen = (change: SelectedChange): Event => ({ type: 'changeChosen', change })

test('one change at a time, and the page reloads its data after it', () => {
  const previous = [read, chosen({ kind: 'addTotp' })]
  expect(after(security, null, previous)[0].step).toBe('changing')
  expect(after(security, null, [...previous, chosen({ kind: 'addPhone' })])[0]).toMatchObject({
    change: { kind: 'addTotp' },
  })
  expect(after(security, null, [...previous, { type: 'changed' }])).toEqual([
    { step: 'reading', overview },
    { type: 'watchToken' },
    { type: 'readOverview' },
    { type: 'notify', text: 'Your authenticator app is set up.' },
  ])
})

test('a change can be selected while the data is reloading, but not before it has loaded once', () => {
  const again = [read, chosen({ kind: 'addTotp' }), { type: 'changeClosed' } as const]
  expect(after(security, null, [...again, chosen({ kind: 'addPhone' })])[0]).toMatchObject({
    step: 'changing',
    change: { kind: 'addPhone' },
  })
  expect(after(security, null, [chosen({ kind: 'addPhone' })])[0].step).toBe('reading')
})

test('2.1 the stored token is watched in every step but the last', () => {
  for (const { to, commands } of moves(security, { inputs, events })) {
    expect(commands.includes('watchToken')).toBe(to !== 'leaving')
  }
})

test('without a response the loaded data is kept, and loading can be retried', () => {
  const [state] = after(security, null, [
    read,
    chosen({ kind: 'addTotp' }),
    { type: 'changed' },
    security.failed,
  ])
  expect(state).toEqual({ step: 'unreachable', overview })
  expect(view(state).text).toContain('What you see may be out of date.')
})

function world(answer: unknown) {
  const redirects: string[] = []
  const listeners = new Set<(stored: boolean) => void>()
  const services = securityServices({
    client: fakeClient({ readSecurity: answer }).client,
    jwt: {
      read: () => undefined,
      write: () => undefined,
      remove: () => undefined,
      watch(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    replace: (to) => redirects.push(to),
    reportError: () => undefined,
    here: '/dashboard/security',
    showToast: () => undefined,
  })
  return { services, redirects, listeners }
}

test.each([
  ['an answer', overview, 'overviewRead'],
  ['a session that has ended', refusal('session-ended'), 'signedOut'],
  ['no answer', new ApiError('unreachable', 'Error fetching'), 'unreachable'],
])('7.2 security: %s', async (_, answer, type) => {
  const { services } = world(answer)
  expect(await services.readOverview({ type: 'readOverview' }, neverAborted)).toMatchObject({
    type,
  })
})

test('2.2 a user who is no longer logged in starts the login and returns here', async () => {
  const { services, redirects } = world(overview)
  await services.logIn({ type: 'logIn' }, neverAborted)
  expect(redirects).toEqual(['/auth/login?redirectUrl=%2Fdashboard%2Fsecurity'])
})

test('3 stored values: only the removal of the token is reported, and the watch ends with its step', async () => {
  const { services, listeners } = world(overview)
  const step = new AbortController()
  const listen = () => {
    const stream = services.watchToken({ type: 'watchToken' }, step.signal)
    return (stream as AsyncGenerator<Event>).next()
  }
  const first = listen()
  for (const stored of [true, false]) listeners.forEach((listener) => listener(stored))
  expect(await first).toEqual({ done: false, value: { type: 'signedOut' } })

  const second = listen()
  step.abort()
  expect(await second).toEqual({ done: true, value: undefined })
  expect(listeners.size).toBe(0)
})

const view = (state: State, passkeys = true) =>
  renderStatic(
    <SecurityView
      state={state}
      send={() => undefined}
      time={() => '1 Jan 1970'}
      passkeys={passkeys}
    />,
  )

test("the page shows the settings, the user's sessions and recent activity", () => {
  const { text } = view({ step: 'shown', overview })
  for (const words of [
    'Email address ada@example.com',
    'without a signal. On',
    'Delete your account',
    '(800) 555-0142',
    '8 of 10 left',
    'What was the name of your first pet?',
    'My phone',
    'Chrome on Windows (this one)',
    'Safari on iPhone 198.51.100.0/24, since 1 Jan 1970, with a one-time passcode Log out',
    'Logged in 1 Jan 1970, 192.0.2.0/24',
  ]) {
    expect(text).toContain(words)
  }
})

test('an email links directly to the password change, and a deleted account leads to the login page', async () => {
  expect(after(security, { kind: 'password' }, [read])[0]).toEqual({
    step: 'changing',
    overview,
    change: { kind: 'password' },
  })
  const deleted = [read, chosen({ kind: 'deleteAccount' }), { type: 'changed' } as const]
  expect(after(security, null, deleted)).toEqual([{ step: 'leaving' }, { type: 'leaveAccount' }])
  const { services, redirects } = world(overview)
  await services.leaveAccount({ type: 'leaveAccount' }, neverAborted)
  expect(redirects).toEqual(['/auth/login'])
})

const BARE = {
  ...overview,
  aliases: overview.aliases.slice(0, 1),
  passkeys: [],
  totpEnabled: false,
}

test.each([
  ['a passkey first', BARE, true, 'addPasskey'],
  [
    'an authenticator app if the browser has no passkeys',
    { ...BARE, emailFactorEnabled: false },
    false,
    'addTotp',
  ],
  ['recovery codes if few are left', { ...overview, recoveryCodesLeft: 2 }, true, 'recoveryCodes'],
  ['nothing if everything is set up', overview, true, undefined],
  ['nothing if codes by email are on and the browser has no passkeys', BARE, false, undefined],
] as const)('the best next step: %s', (_, given, passkeys, kind) => {
  expect(nextStep(given, { passkeys })?.change.kind).toBe(kind)
})

test('no phone can be added without text messages, and nothing beyond its maximum', () => {
  const shown = (changes: Partial<typeof overview>) =>
    view({ step: 'shown', overview: { ...overview, ...changes } }).text
  expect(shown({})).toContain('Add a phone')
  const without = shown({ textsAvailable: false })
  expect(without).not.toContain('Add a phone')
  expect(without).toContain('no phone can be added')
  const [email, phone] = overview.aliases
  const [passkey] = overview.passkeys
  if (!email || !phone || !passkey) throw new Error('The sample lacks an alias or a passkey')
  const full = shown({
    aliases: [email, ...['1', '2', '3'].map((uuid) => ({ ...phone, uuid }))],
    passkeys: Array.from({ length: 10 }, (_, index) => ({ ...passkey, uuid: `${index}` })),
  })
  expect(full).not.toContain('Add a phone')
  expect(full).not.toContain('Add a passkey')
})

test('a browser without passkeys does not offer to create one', () => {
  expect(view({ step: 'shown', overview }, false).text).not.toContain('Add a passkey')
})

test('a connected provider can be disconnected; one that manages the account leaves nothing else to change', () => {
  const { text: connected } = view({ step: 'shown', overview })
  expect(connected).toContain('You log in with Northgale ID, connected 1 Jan 1970 Disconnect')
  expect(connected).toContain('Password')
  const [provider] = overview.providers
  if (provider === undefined) throw new Error('The sample lacks a provider')
  const managed = { ...overview, providers: [{ ...provider, manages: true }] }
  const { text } = view({ step: 'shown', overview: managed })
  expect(text).toContain('You log in with Northgale ID. Your organization manages this login.')
  for (const words of ['Disconnect', 'Password', 'passkey', 'Second step', 'Recovery codes']) {
    expect(text).not.toContain(words)
  }
})
