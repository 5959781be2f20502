import { after, walk } from '@portico/flow/testing'
import { expect, test } from 'vitest'
import { signing } from '../approval/approval.samples.ts'
import type { VaultState } from '../device-wallet.ts'
import { deviceWallet, type Event, type Situation } from './device-wallet.flow.ts'
import { events, inputs } from './device-wallet.samples.ts'

const LOCKED: VaultState = { step: 'locked', hasPasskey: false, retryAt: null }
const UNLOCKED: VaultState = { step: 'unlocked', hasPasskey: false, idleMinutes: 15 }

const changed = (now: Partial<Situation>): Event => ({
  type: 'changed',
  now: {
    vault: UNLOCKED,
    prompt: undefined,
    waiting: now.prompt?.waiting ?? 0,
    decided: undefined,
    pageReturn: undefined,
    ...now,
  },
})
const run = (...happened: Event[]) => after(deviceWallet, null, happened)

test('2.8 a request is shown once the wallet is unlocked', () => {
  expect(run(changed({ vault: LOCKED, prompt: signing }))[0]).toMatchObject({
    step: 'locked',
    prompt: signing,
  })
  expect(run(changed({ vault: LOCKED, prompt: signing }), changed({ prompt: signing }))[0]).toEqual(
    { step: 'approving', prompt: signing, waiting: 1, vault: UNLOCKED },
  )
})

test('2.8 a request stays while the wallet locks, so that the result of its approval is not lost', () => {
  const [state] = run(changed({ prompt: signing }), changed({ vault: LOCKED, prompt: signing }))
  expect(state).toMatchObject({ step: 'approving', vault: LOCKED })
})

test('2.8 an answered request is not shown again, however late the source removes it', () => {
  const answered = [
    changed({ prompt: signing }),
    { type: 'answered', promptId: signing.id, result: undefined },
  ] as const
  const [state, command] = run(...answered)
  expect(state).toMatchObject({ step: 'decided', decision: { kind: 'sign', how: 'refused' } })
  expect(command).toEqual({ type: 'answer', promptId: signing.id, result: undefined })
  const late = [...answered, { type: 'continued' }, changed({ prompt: signing })] as const
  expect(run(...late)[0].step).toBe('decided')
  expect(run(...late, changed({}))[0].step).toBe('home')
})

test('2.8 a request that the page withdraws is explained', () => {
  const decided = { kind: 'sign', how: 'withdrawn' } as const
  expect(run(changed({ prompt: signing }), changed({ decided }))[0]).toMatchObject({
    step: 'decided',
    decision: decided,
  })
})

test('2.8 a request that was rejected here, but carried out by another window, is shown as carried out', () => {
  const rejected = [
    changed({ prompt: signing }),
    { type: 'answered', promptId: signing.id, result: undefined },
  ] as const
  const agreed = { kind: 'sign', how: 'agreed' } as const
  const shown = { step: 'decided', decision: agreed }
  expect(run(...rejected, changed({ decided: agreed }))[0]).toMatchObject(shown)
  const continued = [...rejected, { type: 'continued' }] as const
  expect(run(...continued, changed({ decided: agreed }))[0]).toMatchObject(shown)
  expect(
    run(...continued, changed({ decided: agreed }), { type: 'delayPassed', how: 'agreed' })[0],
  ).toMatchObject({ step: 'home' })
  const unknown = changed({ decided: { kind: 'sign', how: 'unknown' } })
  expect(run(...rejected, unknown, { type: 'delayPassed', how: 'refused' })[0]).toMatchObject({
    step: 'decided',
    decision: { how: 'unknown' },
  })
})

test('2.8 a request whose answer was lost with its process is shown again', () => {
  const rejected = { type: 'answered', promptId: signing.id, result: undefined } as const
  const lost = [changed({ prompt: signing }), rejected, changed({ waiting: 1 })] as const
  expect(run(...lost, { type: 'continued' }, changed({ prompt: signing }))[0]).toMatchObject({
    step: 'approving',
    prompt: signing,
  })
})

test('2.8 a signature stays shown as given, even if the next request is withdrawn at once', () => {
  const result = { kind: 'sign', signature: '00' } as const
  const [state] = run(
    changed({ prompt: signing }),
    { type: 'answered', promptId: signing.id, result },
    changed({ decided: { kind: 'sign', how: 'withdrawn' } }),
  )
  expect(state).toMatchObject({ step: 'decided', decision: { how: 'agreed' } })
})

test('2.8 while a process that was started again looks for the result of an approved request, the approval stays', () => {
  const started = [changed({ prompt: signing }), changed({ waiting: 1 })] as const
  expect(run(...started)[0]).toMatchObject({ step: 'approving', prompt: signing })
  const agreed = { kind: 'sign', how: 'agreed' } as const
  expect(run(...started, changed({ decided: agreed }))[0]).toMatchObject({
    step: 'decided',
    decision: agreed,
  })
  expect(run(...started, changed({}))[0]).toMatchObject({ step: 'home' })
})

test('2.8 an unknown outcome stays until the user continues', () => {
  const answered = (result: 'outcome-unknown' | undefined) =>
    run(changed({ prompt: signing }), { type: 'answered', promptId: signing.id, result })
  expect(answered(undefined)).toContainEqual({ type: 'delayContinue', how: 'refused' })
  expect(answered('outcome-unknown')).not.toContainEqual({ type: 'delayContinue', how: 'unknown' })
})

test('2.8 a window for requests closes after the last one, but not before the first arrives or while others wait', () => {
  const finish = { type: 'finish' }
  expect(run(changed({}))).not.toContainEqual(finish)
  const answered = [
    changed({ prompt: signing }),
    { type: 'answered', promptId: signing.id, result: undefined },
  ] as const
  const continued = { type: 'continued' } as const
  expect(run(...answered, changed({ waiting: 1 }), continued)).not.toContainEqual(finish)
  expect(run(...answered, changed({}), continued)).toContainEqual(finish)
  expect(
    run(changed({ vault: LOCKED, prompt: signing }), changed({ vault: LOCKED })),
  ).toContainEqual(finish)
})

test('a random walk shows requests only to an unlocked wallet and answers only what is shown', () => {
  walk(
    deviceWallet,
    { inputs, events },
    {
      steps: 5000,
      invariant(state, commands, before) {
        if (state.step === 'approving' && before.step !== 'approving') {
          expect(state.vault.step).toBe('unlocked')
        }
        for (const command of commands) {
          if (command.type !== 'answer') continue
          expect('prompt' in before && before.prompt?.id).toBe(command.promptId)
          expect(state).toMatchObject({ step: 'decided', answeredId: command.promptId })
        }
        if (commands.some(({ type }) => type === 'finish')) {
          expect(['home', 'locked', 'onboarding']).toContain(state.step)
        }
      },
    },
  )
})
