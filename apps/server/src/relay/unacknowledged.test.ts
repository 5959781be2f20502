import { expect, test } from 'vitest'
import type { Message } from './exchange.ts'
import { RELAY_LIMITS, type RelayLimits } from './limits.ts'
import { type Inbox, unacknowledgedMessages } from './unacknowledged.ts'

function someInboxes(limits: Partial<RelayLimits> = {}) {
  let now = 1_000_000_000_000
  const messages = unacknowledgedMessages({ ...RELAY_LIMITS, ...limits }, () => now)
  const anInbox = (acknowledges = true, budget = {}): Inbox => ({
    budget,
    topics: new Map([
      ['a', 0],
      ['b', 0],
    ]),
    deliveries: [],
    unacknowledgedBytes: 0,
    acknowledges,
  })
  return {
    ...messages,
    anInbox,
    deliver: (topic: string, text: string, ...inboxes: readonly Inbox[]) =>
      messages.add(topic, aMessage(text), inboxes),
    lostBy: (inbox: Inbox, topic = 'a') => messages.leave(inbox, topic).map(({ text }) => text),
    pass(ms: number) {
      now += ms
    },
  }
}

const aMessage = (text: string): Message => ({ text, at: 0, expiresAt: 0, stored: '' })

test('protocol 3.3: an acknowledgement stands for the oldest message of its topic', () => {
  const { anInbox, deliver, acknowledge, lostBy } = someInboxes()
  const inbox = anInbox()
  for (const text of ['1', '2', '3']) deliver('a', text, inbox)
  deliver('b', '4', inbox)
  acknowledge(inbox, 'a')
  acknowledge(inbox, 'c')
  expect(lostBy(inbox)).toEqual(['2', '3'])
  expect(lostBy(inbox, 'b')).toEqual(['4'])
  expect(inbox).toMatchObject({ deliveries: [], unacknowledgedBytes: 0 })
})

test('protocol 3.3: what a client received before its first acknowledgement counts as received', () => {
  const { anInbox, deliver, acknowledge, lostBy } = someInboxes()
  const inbox = anInbox(false)
  for (const text of ['1', '2']) deliver('a', text, inbox)
  acknowledge(inbox, 'a')
  deliver('a', '3', inbox)
  // For the second message.
  acknowledge(inbox, 'a')
  expect(lostBy(inbox)).toEqual(['3'])
})

test('protocol 3.4: a message that one of its readers acknowledged, or that went to a client without acknowledgements, is not lost', () => {
  const { anInbox, deliver, acknowledge, lostBy } = someInboxes()
  const [one, two, silent] = [anInbox(), anInbox(), anInbox(false)]
  deliver('a', 'to both', one, two)
  deliver('a', 'acknowledged by one', one, two)
  deliver('a', 'to a silent one', one, two, silent)
  acknowledge(two, 'a')
  acknowledge(two, 'a')
  expect(lostBy(one)).toEqual([])
  expect(lostBy(two)).toEqual([])
  const [three, four] = [anInbox(), anInbox()]
  deliver('a', 'to both', three, four)
  expect(lostBy(three)).toEqual([])
  expect(lostBy(four)).toEqual(['to both'])
})

test.each([
  ['messages', { unacknowledgedMessages: 2 }],
  // A message counts 512 bytes and its text.
  ['bytes', { unacknowledgedBytes: 2 * 514 }],
  ['bytes of all connections', { unacknowledgedBytesPerNode: 2 * 514 }],
])('7.4 unacknowledged %s are limited: the oldest count as received', (_name, limits) => {
  const { anInbox, deliver, acknowledge, lostBy } = someInboxes(limits)
  const [inbox, other] = [anInbox(), anInbox()]
  for (const text of ['1', '2', '3', '4']) deliver('a', text, inbox)
  expect(inbox.deliveries.filter(({ message }) => message !== undefined)).toHaveLength(2)
  // Late acknowledgements still stand for the first messages.
  for (let each = 0; each < 3; each += 1) acknowledge(inbox, 'a')
  expect(lostBy(inbox)).toEqual(['4'])
  deliver('a', '5', other)
  expect(lostBy(other)).toEqual(['5'])
})

test('7.4 a network that fills the memory of the node displaces only its own messages', () => {
  const limit = 10 * 514
  const { anInbox, deliver, lostBy } = someInboxes({ unacknowledgedBytesPerNode: limit })
  const flooding = {}
  const [victim, ...floods] = [anInbox(), ...[1, 2, 3].map(() => anInbox(true, flooding))]
  for (const text of ['1', '2', '3']) deliver('a', text, victim)
  for (const flood of floods) {
    for (let each = 0; each < 20; each += 1) deliver('b', `${each % 10}`, flood)
  }
  expect(lostBy(victim)).toEqual(['1', '2', '3'])
  const kept = floods.flatMap((flood) => lostBy(flood, 'b'))
  expect(kept).toEqual(['3', '4', '5', '6', '7', '8', '9'])
})

test('7.4 a client that acknowledges once and never again is stored only in part', () => {
  const { anInbox, deliver, lostBy } = someInboxes()
  const inbox = anInbox()
  for (let each = 0; each < 10_000; each += 1) deliver('a', `${each}`, inbox)
  expect(inbox.deliveries).toHaveLength(RELAY_LIMITS.unacknowledgedMessages)
  expect(lostBy(inbox).at(-1)).toBe('9999')
  const large = anInbox()
  for (let each = 0; each < 20; each += 1) deliver('a', 'x'.repeat(250_000), large)
  expect(large.unacknowledgedBytes).toBeLessThanOrEqual(RELAY_LIMITS.unacknowledgedBytes)
})

test('7.4 a message can be lost for a minute', () => {
  const { anInbox, deliver, lostBy, pass, sweep } = someInboxes()
  const [inbox, swept] = [anInbox(), anInbox()]
  deliver('a', 'old', inbox, swept)
  pass(59_999)
  deliver('a', 'new', inbox)
  pass(1)
  expect(lostBy(inbox)).toEqual(['new'])
  sweep()
  expect(swept.deliveries[0]?.message).toBeUndefined()
})
