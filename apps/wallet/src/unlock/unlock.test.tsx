import { fakeClient, refusal } from '@portico/client/testing'
import { after, moves } from '@portico/flow/testing'
import { lasting } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { unlock } from './unlock.flow.ts'
import { events, inputs } from './unlock.samples.ts'
import { unlockServices } from './unlock.services.ts'

const ways = { hasPassword: true, totpEnabled: false }

test('2.8 how somebody can unlock is read first, and can be read again', () => {
  expect(after(unlock, null, [{ type: 'waysRead', ways }])).toEqual([{ step: 'confirming', ways }])
  expect(after(unlock, null, [unlock.failed, { type: 'retried' }])).toEqual([
    { step: 'reading' },
    { type: 'readWays' },
  ])
})

test('2.8 what can be proven is read each time that it is waited for', () => {
  for (const { to, from, commands } of moves(unlock, { inputs, events })) {
    if (to === 'reading' && from !== to) expect(commands).toEqual(['readWays'])
  }
})

test('2.8 what the server knows of the person decides, and a refusal is told in its words', async () => {
  const told = (answer: unknown) =>
    unlockServices({ client: fakeClient({ readSecurity: answer }).client }).readWays(
      { type: 'readWays' },
      lasting,
    )
  expect(await told({ ...ways, email: 'more' })).toEqual({ type: 'waysRead', ways })
  expect(await told(refusal('session-ended'))).toMatchObject({
    type: 'refused',
    failure: { reason: 'session-ended' },
  })
})
