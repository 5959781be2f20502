import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import type { StoredJwt } from '@portico/client/stored-jwt'
import type { PageSession } from '@portico/contracts/page-data'
import { transition } from '@portico/flow'
import { moves, walk } from '@portico/flow/testing'
import { neverAborted, textOf } from '@portico/shell/testing'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type Command, dashboard, type Event, type State } from './dashboard.flow.ts'
import { events, inputs } from './dashboard.samples.ts'
import { dashboardServices } from './dashboard.services.ts'
import { DashboardView } from './dashboard.view.tsx'

const after = (step: State['step'], event: Event) =>
  transition<State, Event, Command>(dashboard, { step }, event)
const LEFT = [{ step: 'leaving' }, { type: 'logIn' }]

test.each(['confirming', 'confirmed', 'unconfirmed'] as const)(
  '2.1 logging out in one tab logs the other out at once: %s',
  (step) => {
    expect(after(step, { type: 'signedOut' })).toEqual(LEFT)
  },
)

test('4.4 without a response the page stays, and the user can retry', () => {
  expect(after('confirming', dashboard.failed)[0].step).toBe('unconfirmed')
  expect(after('unconfirmed', { type: 'retried' })).toContainEqual({
    type: 'readIdentity',
  })
})

test('2.1 the stored token is watched in every step but the last', () => {
  for (const { to, commands } of moves(dashboard, { inputs, events })) {
    expect(commands.includes('watchToken')).toBe(to !== 'leaving')
  }
})

test('2.1 random walk: the page never returns after it left', () => {
  let seed = 7
  const chance = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  walk(
    dashboard,
    { inputs, events },
    {
      steps: 1000,
      chance,
      invariant(state, commands, before) {
        if (before.step === 'leaving') expect([state, commands]).toEqual([before, []])
      },
    },
  )
})

function world(answer: unknown) {
  const client: Client = async () => {
    if (answer instanceof Error) throw answer
    return answer as never // The answer is the test's own.
  }
  let notify: (stored: boolean) => void = () => undefined
  let watched = 0
  const jwt: Pick<StoredJwt, 'watch'> = {
    watch(listener) {
      notify = listener
      watched += 1
      return () => void (watched -= 1)
    },
  }
  const redirects: string[] = []
  const services = dashboardServices({
    client,
    jwt: { read: () => undefined, keep: () => undefined, remove: () => undefined, ...jwt },
    replace: (to) => redirects.push(to),
    reportError: () => undefined,
    here: '/dashboard?a=b',
  })
  return {
    services,
    redirects,
    notifyListener: (stored: boolean) => notify(stored),
    watched: () => watched,
  }
}

const failed = (status: number) =>
  new ApiError('refused', 'No', { response: new Response(null, { status }) })

test.each([
  ['an answer', {}, 'identityRead'],
  ['401', failed(401), 'signedOut'],
  ["403 'Unauthenticated'", failed(403), 'signedOut'],
  ['a fault of the server', failed(500), 'unreachable'],
  ['no answer', new ApiError('unreachable', 'Error fetching'), 'unreachable'],
])('7.2 identity: %s', async (_, answer, type) => {
  const { services } = world(answer)
  expect(await services.readIdentity({ type: 'readIdentity' }, neverAborted)).toEqual({ type })
})

test('2.2 a signed-out user starts the login and returns here', () => {
  const { services, redirects } = world({})
  void services.logIn({ type: 'logIn' }, neverAborted)
  expect(redirects).toEqual(['/auth/login?redirectUrl=%2Fdashboard%3Fa%3Db'])
})

test('3 stored values: only the removal of the token is reported, and the watch ends with its step', async () => {
  const { services, notifyListener, watched } = world({})
  const step = new AbortController()
  const listen = () => {
    const stream = services.watchToken({ type: 'watchToken' }, step.signal)
    return (stream as AsyncGenerator<Event>).next()
  }
  const first = listen()
  notifyListener(true)
  notifyListener(false)
  expect(await first).toEqual({ done: false, value: { type: 'signedOut' } })

  const second = listen()
  step.abort()
  expect(await second).toEqual({ done: true, value: undefined })
  expect(watched()).toBe(0)
})

const session: PageSession = {
  email: 'ada@example.com',
  organizationCode: 'FIGURE',
  organizationName: 'Figure',
  profileType: 'CUSTOMER',
  signedInAt: 0,
  method: 'passcode',
}

const view = (state: State) =>
  renderToStaticMarkup(
    <DashboardView
      state={state}
      send={() => undefined}
      session={session}
      since="1970-01-01 00:00 UTC"
    />,
  )

test('2.1 the page shows who is signed in, since when and how, and offers to log out', () => {
  const html = view({ step: 'confirmed' })
  for (const part of ['ada@example.com', '1970-01-01 00:00 UTC', 'with a one-time passcode']) {
    expect(textOf(html)).toContain(part)
  }
  expect(html).toContain('href="/auth/logout"')
  expect(html).toContain('href="/dashboard/security"')
})

test('2.1 an unconfirmed page says that it may be out of date', () => {
  expect(view({ step: 'unconfirmed' })).toContain('We could not reach the server')
})
