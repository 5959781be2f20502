import { randomUUID } from 'node:crypto'
import { addPasskey, beginPasskey } from '@portico/contracts/account-security'
import { login, redeemToken, sendToken } from '@portico/contracts/identity'
import {
  beginTelemetrySession,
  type EventPayload,
  type SessionKey,
  type SessionPayload,
  sendTelemetryEvent,
} from '@portico/contracts/telemetry'
import { EVENT_ID_HEADER } from '@portico/contracts/telemetry-wire'
import { passkeyLogin, readPasskeyLogin } from '@portico/contracts/two-factor'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { passkeyDevice } from '../support/passkey-device.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const SESSION: SessionPayload = {
  platform: 'WEB',
  libVersion: '2.2.24',
  referrer: '',
  queryParams: {},
  screenWidth: 1440,
  screenHeight: 900,
  windowWidth: 1200,
  windowHeight: 800,
  appVersion: '0.1.0',
}
type World = Awaited<ReturnType<typeof aWorld>>

async function visit(browser: Browser, changes: Partial<SessionPayload> = {}): Promise<SessionKey> {
  const body = { ...SESSION, ...changes }
  const { sessionKey, trackerUuid } = await browser.call(beginTelemetrySession.external, { body })
  expect(trackerUuid).toBe(sessionKey.trackerUuid)
  return sessionKey
}

/** Sends an event; the same `sending` id makes it a repetition of the same event. */
function sendEvent(
  browser: Browser,
  sessionKey: SessionKey,
  changes: Partial<EventPayload> = {},
  sending: string = randomUUID(),
): Promise<void> {
  const body = {
    domain: 'login.lender.example',
    queryParams: {},
    pagePath: '/auth/login',
    event: 'page_view',
    eventType: 'PAGE_VIEW',
    dontDedupe: true,
    ...changes,
    sessionKey,
  }
  const headers = { [EVENT_ID_HEADER]: sending }
  return browser.call(sendTelemetryEvent.external, { body, headers })
}

const events = (world: World) =>
  world.query('select * from telemetry_events order by created_at, page_path')
const sessions = (world: World) => world.query('select * from telemetry_sessions')

/** The sum of the nodes' counters. */
async function metric(world: World, name: string): Promise<number> {
  const counts = world.nodes.map(async ({ url }) => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const line = text.split('\n').find((each) => each.startsWith(`${name} `))
    return Number(line?.split(' ')[1] ?? 0)
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

test('7.8 a session has a key and belongs to the browser; an acknowledged event is stored', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const first = await visit(browser, { referrer: `${world.origin}/auth/register` })
  expect(first.epoch).toBeLessThanOrEqual(world.clock.now())
  expect(browser.cookies.get('portico-tracker')).toBe(first.trackerUuid)
  const second = await visit(browser, { sessionKey: first })
  expect(second.trackerUuid).toBe(first.trackerUuid)
  expect(second.uuid).not.toBe(first.uuid)
  expect((await visit(world.browser())).trackerUuid).not.toBe(first.trackerUuid)

  await sendEvent(browser, second, {
    queryParams: { flow: 'new-user' },
    eventProperties: { count: 2, method: 'passcode' },
    applicationUuid: first.uuid,
    productType: 'HELOC',
  })
  const stored = await events(world)
  expect(stored).toMatchObject([
    {
      id: expect.any(String),
      session_uuid: second.uuid,
      identity_id: null,
      organization_code: 'FIGURE',
      event: 'page_view',
      event_type: 'PAGE_VIEW',
      product_type: 'HELOC',
      application_uuid: first.uuid,
      domain: '127.0.0.1',
      page_path: '/auth/login',
      query_params: '{"flow":"new-user"}',
      event_properties: '{"count":2,"method":"passcode"}',
      created_at: expect.any(Number),
    },
  ])
  const session = (await sessions(world)).find(({ uuid }) => uuid === second.uuid)
  expect(session).toMatchObject({ previous_uuid: first.uuid, screen_width: 1440, referrer: '' })
  expect(await metric(world, 'portico_telemetry_sessions_total')).toBe(3)
  expect(await metric(world, 'portico_telemetry_events_total{outcome="stored"}')).toBe(1)
})

test('3 an event is stored once, however often it arrives, on any node', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const browsers = world.nodes.map((node) => world.browser({ node: () => node }))
  const key = await visit(world.browser())
  let sentCount = 0
  const sendToNextNode = (changes: Partial<EventPayload>, sending?: string) => {
    const browser = browsers[(sentCount += 1) % browsers.length]
    return browser === undefined ? undefined : sendEvent(browser, key, changes, sending)
  }
  const sending = randomUUID()
  const views = Array.from({ length: 30 }, () => sendToNextNode({}, sending))
  const registers = Array.from({ length: 30 }, () =>
    sendToNextNode({ event: 'register', eventType: 'ACTION', dontDedupe: false }),
  )
  const choices = Array.from({ length: 30 }, (_, index) =>
    sendToNextNode({
      event: 'choice',
      dontDedupe: false,
      dedupeProperty: 'method',
      eventProperties: { method: index % 2 === 0 ? 'password' : 'passcode', index },
    }),
  )
  const others = Array.from({ length: 30 }, () => sendToNextNode({ pagePath: '/auth/other' }))
  await Promise.all([...views, ...registers, ...choices, ...others])
  const counted = await world.query(
    'select event, page_path, count(*) as times from telemetry_events group by event, page_path order by event, page_path',
  )
  expect(counted.map(({ event, page_path, times }) => [event, page_path, Number(times)])).toEqual([
    ['choice', '/auth/login', 2],
    ['page_view', '/auth/login', 1],
    ['page_view', '/auth/other', 30],
    ['register', '/auth/login', 1],
  ])
  expect(await metric(world, 'portico_telemetry_events_total{outcome="stored"}')).toBe(34)
  expect(await metric(world, 'portico_telemetry_events_total{outcome="deduped"}')).toBe(86)
})

test('7.8 nothing personal is stored, whatever a client sends', async () => {
  await using world = await aWorld()
  const browser = world.browser({ headers: { 'user-agent': 'Adas own browser' } })
  const secrets = ['ada@people.example', '482913', 'eyJhbGciOiJFUzI1NksifQ', 'tp1knsxfnn0lq48']
  const [email = '', code = '', jwt = '', address = ''] = secrets
  const key = await visit(browser, {
    referrer: `https://partner.example/${email}?token=${jwt}`,
    queryParams: { email, otp: code, utm_source: email, [email]: 'x' },
  })
  await sendEvent(browser, key, {
    domain: email.replace('@', '.'),
    identityId: email,
    pagePath: `/auth/wallet/provenance/${address}/convert?email=${email}`,
    queryParams: { redirectUrl: `/dashboard?email=${email}`, flow: jwt, [code]: 'x' },
    eventProperties: { note: `code ${code}`, wallet: address, token: jwt },
  })
  const storedText = JSON.stringify([await events(world), await sessions(world)])
  for (const secret of [...secrets, 'people.example', 'Ada', '127.0.0.1:']) {
    expect(storedText).not.toContain(secret)
  }
  expect(storedText).toContain('/auth/wallet/provenance/*/convert')
  expect(storedText).toContain('"referrer":"https://partner.example"')
})

test('3 only the session’s cookie determines the identity of an event', async () => {
  const ada = newPerson('ada')
  await using world = await aWorld().withCustomer(ada)
  const browser = world.browser()
  await browser.signIn(ada)
  const identity = await world.server.stores.identities.findByEmail(ada.email)
  const { sessionKey } = await browser.call(beginTelemetrySession.internal, { body: SESSION })
  const body = {
    domain: 'x',
    queryParams: {},
    pagePath: '/dashboard',
    event: 'page_view',
    eventType: 'PAGE_VIEW',
    identityId: randomUUID(),
    dontDedupe: true,
    sessionKey,
  }
  await browser.call(sendTelemetryEvent.internal, { body })
  await browser.call(sendTelemetryEvent.external, { body: { ...body, pagePath: '/as-anybody' } })
  await browser.logOut()
  await browser.call(sendTelemetryEvent.internal, { body: { ...body, pagePath: '/later' } })
  const stored = (await events(world)).map(({ page_path, identity_id }) => [page_path, identity_id])
  expect(stored).toEqual([
    ['/dashboard', identity?.id],
    ['/as-anybody', null],
    ['/later', null],
  ])
})

test('7.2 telemetryTrackingId links a visit to the identity that signs in, not earlier', async () => {
  const ada = newPerson('ada')
  const bea = newPerson('bea')
  await using world = await aWorld().withCustomer(ada).withCustomer(bea)
  const browser = world.browser()
  const [withPassword, withCode, unproved] = [
    await visit(browser),
    await visit(browser),
    await visit(browser),
  ]
  const identityOf = async (key: SessionKey) =>
    (await sessions(world)).find(({ uuid }) => uuid === key.uuid)?.['identity_id']
  const logIn = (who: { email: string; password: string }, key: { uuid: string }) =>
    browser.call(login, { body: { ...who, telemetryTrackingId: key.uuid } })

  expect(await refusal(logIn({ ...ada, password: 'wrong' }, withPassword))).toMatchObject({
    status: 400,
  })
  expect(await identityOf(withPassword)).toBeNull()
  await logIn(ada, withPassword)
  const first = await identityOf(withPassword)
  expect(first).toBe((await world.server.stores.identities.findByEmail(ada.email))?.id)
  await logIn(bea, withPassword)
  expect(await identityOf(withPassword), 'the first value stays').toBe(first)

  const { email } = bea
  const ask = (key: SessionKey) =>
    browser.call(sendToken, { body: { email, telemetryTrackingId: key.uuid } })
  const { uuid: loginUuid } = await ask(withCode)
  expect(await identityOf(withCode)).toBeNull()
  await browser.call(redeemToken, { body: { loginUuid, token: await world.passcode(email) } })
  expect(await identityOf(withCode)).toBe(
    (await world.server.stores.identities.findByEmail(email))?.id,
  )
  await ask(unproved)
  expect(await identityOf(unproved)).toBeNull()

  expect(await logIn(ada, { uuid: 'no session of ours' })).toHaveProperty('jwt')
})

test('7.8 a login with a passkey links its visit too, so that it counts in the funnels', async () => {
  const ada = newPerson('ada')
  await using world = await aWorld().withCustomer(ada)
  const device = passkeyDevice({ origin: world.origin })
  const owner = world.browser()
  await owner.signIn(ada)
  await owner.confirm(ada)
  const created = await owner.call(beginPasskey, {})
  await owner.call(addPasskey, {
    body: {
      challengeUuid: created.challengeUuid,
      name: 'Laptop',
      response: device.make(created.options),
    },
  })

  const browser = world.browser()
  const { uuid: telemetryTrackingId } = await visit(browser)
  const { challengeUuid, options } = await browser.call(readPasskeyLogin, { body: {} })
  const response = device.sign(options)
  await browser.call(passkeyLogin, { body: { challengeUuid, response, telemetryTrackingId } })
  const identity = await world.server.stores.identities.findByEmail(ada.email)
  expect(await sessions(world)).toContainEqual(
    expect.objectContaining({ uuid: telemetryTrackingId, identity_id: identity?.id }),
  )
})

test('Global Privacy Control: nothing is stored, and no cookie is set', async () => {
  await using world = await aWorld()
  const key = await visit(world.browser())
  const browser = world.browser({ headers: { 'sec-gpc': '1' } })
  const refused = { status: 403, code: 'tracking-refused' }
  expect(await refusal(visit(browser))).toMatchObject(refused)
  expect(await refusal(sendEvent(browser, key))).toMatchObject(refused)
  expect([...browser.cookies.keys()]).not.toContain('portico-tracker')
  expect(await sessions(world)).toHaveLength(1)
  expect(await events(world)).toEqual([])
  expect(await metric(world, 'portico_telemetry_refusals_total{status="403"}')).toBe(2)
})

test('if consent is required, nothing is stored without it', async () => {
  await using world = await aWorld().withSettings({ TRACKING_CONSENT: 'required' })
  const browser = world.browser()
  expect(await refusal(visit(browser))).toMatchObject({ code: 'tracking-refused' })
  browser.cookies.set('portico-consent', 'granted')
  await sendEvent(browser, await visit(browser))
  expect(await events(world)).toHaveLength(1)
})

test('TELEMETRY_DAYS=0 turns it off', async () => {
  await using world = await aWorld().withSettings({ TELEMETRY_DAYS: '0' })
  expect(await refusal(visit(world.browser()))).toMatchObject({ status: 404 })
})

test('8 an unknown session, an invalid payload and a flood are refused; others are not affected', async () => {
  await using world = await aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' })
  const flooding = world.browser({ headers: { 'x-forwarded-for': '10.1.1.1' } })
  const key = await visit(flooding)
  const unknownSession = { uuid: randomUUID(), epoch: 0, trackerUuid: key.trackerUuid }
  expect(await refusal(sendEvent(flooding, unknownSession))).toMatchObject({
    status: 409,
    code: 'telemetry-session-unknown',
  })
  for (const changes of [
    { event: 'ada@people.example' },
    { event: '' },
    { eventType: '123456' },
    { pagePath: 'x'.repeat(2049) },
    { queryParams: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`p${n}`, 'x'])) },
    { eventProperties: { deep: { er: 1 } } as never },
    { eventProperties: { ['x'.repeat(65)]: 1 } },
    { unknown: 1 } as never,
  ]) {
    expect(await refusal(sendEvent(flooding, key, changes)), JSON.stringify(changes)).toMatchObject(
      {
        status: 400,
      },
    )
  }
  const answers = await Promise.all(
    Array.from({ length: 310 }, () =>
      visit(flooding).catch((error: { status: number }) => error.status),
    ),
  )
  expect(answers.filter((answer) => answer === 429).length).toBe(11)
  await sendEvent(flooding, key)
  await visit(world.browser({ headers: { 'x-forwarded-for': '10.1.1.2' } }))
  expect(await events(world)).toHaveLength(1)
})

test('7.8 a session may send 300 events a minute; others are not affected', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const [busy, other] = [await visit(browser), await visit(browser)]
  for (let each = 0; each < 30; each += 1) {
    await Promise.all(Array.from({ length: 10 }, () => sendEvent(browser, busy)))
  }
  expect((await refusal(sendEvent(browser, busy))).code).toBe('too-many-requests')
  await sendEvent(browser, other)
  expect(await events(world)).toHaveLength(301)
})

test('7.8 storage per day is limited for all networks together and for each', async () => {
  await using world = await aWorld().withSettings({ TELEMETRY_MB_PER_DAY: '1' })
  const large = Object.fromEntries(
    Array.from({ length: 32 }, (_, each) => [`utm_${each}`, 'x'.repeat(256)]),
  )
  const visits = async () => {
    for (let each = 0; each < 200; each += 1) {
      const refused = await refusal(visit(world.browser(), { queryParams: large })).catch(
        () => undefined,
      )
      if (refused !== undefined) return [each, refused.code]
    }
    return undefined
  }
  // Ten kilobytes each: a few more than a hundred fit into a megabyte.
  const [stored = 0, code] = (await visits()) ?? []
  expect(code).toBe('too-many-requests')
  expect(stored).toBeGreaterThan(90)
  expect(stored).toBeLessThan(125)
  expect(await sessions(world)).toHaveLength(Number(stored))
  world.clock.pass(24 * 60 * 60 * 1000)
  await visit(world.browser())
})
