import { expect, test } from 'vitest'
import type { Visitor } from '../http/visitor.ts'
import { openSessions } from './sessions.ts'

const IDENTITY = { id: 'identity', organizationCode: 'FIGURE' }

/** The parts of a visitor used to start a session. */
const VISITOR = {
  organization: { orgCode: 'FIGURE' },
  network: '192.0.2.1',
  userAgent: '',
  sessionCookie: undefined,
  keepSession: () => undefined,
} as unknown as Visitor

test('3 a token lives 1440 s even if time passes while it is issued', async () => {
  let now = 1_800_000_000_000
  const lifetimes: number[] = []
  const sessions = openSessions({
    stores: { sessions: {} as never },
    tokens: {
      issue: (_kind, _claims, lifetimeS) => String(lifetimes.push(lifetimeS)),
      read: () => undefined,
      jwks: { keys: [] },
      refreshKeys: async () => undefined,
    },
    clock: () => (now += 7),
    refreshGroup: async () => false,
  })
  await sessions.open({ sessions: { insert: async () => undefined } as never }, IDENTITY, VISITOR, {
    method: 'password',
  })
  expect(lifetimes).toEqual([1440])
})
