import type { EventPayload } from '@portico/contracts/telemetry'
import { expect, test } from 'vitest'
import { eventId } from './event-id.ts'

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const OTHER = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const sessionKey = { uuid: UUID, epoch: 1, trackerUuid: OTHER }
const EVENT: EventPayload = {
  domain: 'login.lender.example',
  queryParams: {},
  pagePath: '/auth/register',
  event: 'register',
  eventType: 'ACTION',
  sessionKey,
  eventProperties: { method: 'passcode', step: 1 },
}

/** Whether two events in separate requests are duplicates. */
const isSame = (one: Partial<EventPayload>, other: Partial<EventPayload>, sendings = ['1', '2']) =>
  eventId({ ...EVENT, ...one }, sendings[0] ?? '') ===
  eventId({ ...EVENT, ...other }, sendings[1] ?? '')

test('3 an identical event is stored once per session', () => {
  expect(isSame({}, {})).toBe(true)
  expect(isSame({}, { eventProperties: { step: 1, method: 'passcode' } })).toBe(true)
  expect(isSame({}, { queryParams: { flow: 'new-user' }, identityId: 'other' })).toBe(true)
  for (const other of [
    { event: 'registered' },
    { eventType: 'PAGE_VIEW' },
    { productType: 'HELOC' },
    { applicationUuid: UUID },
    { pagePath: '/auth/login' },
    { eventProperties: { method: 'password', step: 1 } },
    { sessionKey: { ...sessionKey, uuid: OTHER } },
  ]) {
    expect(isSame({}, other), JSON.stringify(other)).toBe(false)
  }
})

test('3 dedupeProperty: once per value of that property, regardless of the other properties', () => {
  const by = { dedupeProperty: 'method' }
  expect(
    isSame(by, { ...by, pagePath: '/auth/login', eventProperties: { method: 'passcode' } }),
  ).toBe(true)
  expect(isSame(by, { ...by, eventProperties: { method: 'password' } })).toBe(false)
  expect(isSame(by, { ...by, event: 'login' })).toBe(false)
  expect(isSame({ dedupeProperty: 'absent' }, { dedupeProperty: 'absent' })).toBe(true)
  expect(isSame({ dedupeProperty: 'constructor' }, { dedupeProperty: 'absent' })).toBe(false)
})

test('3 dontDedupe: every time, but a repeated request is stored once', () => {
  const each = { dontDedupe: true, dedupeProperty: 'method' }
  expect(isSame(each, each)).toBe(false)
  expect(isSame(each, each, ['1', '1'])).toBe(true)
  expect(isSame(each, { ...each, sessionKey: { ...sessionKey, uuid: OTHER } }, ['1', '1'])).toBe(
    false,
  )
})
