/** The operators' view of the installation (15). */
import {
  listWaitingMessages,
  readOperations,
  retryMessages,
} from '@portico/contracts/admin/operations'
import { expect, test } from 'vitest'
import { anOperator } from '../support/operator.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, refusal } from '../support/world.ts'

test('15 operators see nodes, queues and certificates, and send waiting messages immediately', {
  tags: ['database'],
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const [admin, support, local] = [
    await anOperator(world, 'admin'),
    await anOperator(world, 'support'),
    await anOperator(world, 'support HARBORLINE'),
  ]
  const now = world.clock.now()
  const { messages } = world.server.stores
  const later = now + 600_000
  for (let number = 0; number < 60; number += 1) {
    await messages.insert({
      channel: number % 2 === 0 ? 'email' : 'sms',
      kind: 'passcodeMail',
      recipient: number % 2 === 0 ? `person.${number}@people.example` : `+1201555${1000 + number}`,
      content: 'Your code is 123456.',
      at: later,
      sentAt: null,
      droppedAt: null,
    })
  }

  // Each node reported its start. The world's clock has moved since.
  const started = await world.query('select id, version, started_at, state from nodes')
  expect(started).toHaveLength(world.nodes.length)
  for (const row of started) {
    await world.server.stores.nodes.report({
      id: String(row['id']),
      version: String(row['version']),
      startedAt: Number(row['started_at']),
      seenAt: now,
      state: String(row['state']),
    })
  }

  const state = await support.browser.call(readOperations, {})
  expect(state.nodes).toHaveLength(world.nodes.length)
  expect(state.nodes.every(({ version }) => /^\d+\.\d+\.\d+/.test(version))).toBe(true)
  for (const { relay, redis } of state.nodes) {
    expect(relay).toMatchObject({ connections: 0, topics: 0 })
    // A node reports itself before its connection to Redis is ready.
    expect(ON_POSTGRES ? ['ready', 'unreachable'] : ['none']).toContain(redis)
  }
  // Nodes that report at once count together, and yesterday's refusals are not shown.
  const { rateLimitRefusals } = world.server.stores
  const hour = now - (now % 3_600_000)
  await Promise.all(
    [1, 2, 3].map((refused) => rateLimitRefusals.add(hour, [{ limitName: 'login', refused }])),
  )
  await rateLimitRefusals.add(hour - 3_600_000, [{ limitName: 'login', refused: 10 }])
  await rateLimitRefusals.add(hour - 48 * 3_600_000, [{ limitName: 'pages', refused: 99 }])
  expect((await support.browser.call(readOperations, {})).rateLimits).toEqual([
    { limit: 'login', refused: 16, lastHour: hour },
  ])
  expect(state.database.engine).toBe(ON_POSTGRES ? 'postgresql' : 'embedded')
  expect(state.outbox?.email).toMatchObject({ waiting: 30, since: later })
  expect(state.outbox?.sms.waiting).toBe(30)
  // The providers of the demonstration that speak SAML.
  expect(state.certificates.map((each) => each.organizationCode)).toContain('FERNHOLLOW')
  const times = state.certificates.map(({ expiresAt }) => expiresAt)
  expect(times).toEqual(times.toSorted((one, other) => one - other))

  const found = new Map<string, string>()
  let after: string | undefined
  do {
    const query = after === undefined ? {} : { after }
    const answer = await support.browser.call(listWaitingMessages, { query })
    for (const { messageUuid, recipient } of answer.items) found.set(messageUuid, recipient)
    expect(JSON.stringify(answer)).not.toContain('123456')
    after = answer.next ?? undefined
  } while (after !== undefined)
  expect(found.size).toBe(60)
  expect([...new Set(found.values())].filter((each) => each.includes('@'))).toEqual([
    'p…@people.example',
  ])

  // Messages do not belong to an organization.
  const limited = await local.browser.call(readOperations, {})
  expect(limited).toMatchObject({ outbox: null, webhooks: null, rateLimits: null })
  expect(limited.certificates.every((each) => each.organizationCode === 'HARBORLINE')).toBe(true)
  const denied = local.browser.call(listWaitingMessages, { query: {} })
  expect((await refusal(denied)).code).toBe('not-permitted')
  const body = { reason: 'The mail server is back.' }
  const reader = support.browser.call(retryMessages, { body })
  expect((await refusal(reader)).code).toBe('not-permitted')

  // A node is sending this one; another must not send it too.
  const at = world.clock.now()
  const sending = { channel: 'email', kind: 'x', recipient: 'x', content: 'x', at } as const
  await messages.insert({ ...sending, sentAt: null, droppedAt: null })
  const claim = { channels: ['email'], limit: 1, at, until: at + 60_000, latest: at * 2 } as const
  expect(await messages.claim(claim)).toHaveLength(1)
  expect(await admin.browser.call(retryMessages, { body })).toEqual({ changed: 60 })
  const due = { ...claim, at: world.clock.now(), limit: 100 }
  expect(await messages.claim(due)).toHaveLength(30)
  const [line] = await world.query(
    "select details, operator_id from audit_events where kind = 'messages-retried'",
  )
  expect(line).toMatchObject({ operator_id: admin.identityId })
  expect(JSON.parse(String(line?.['details']))).toEqual({ messages: 60, ...body })
})
