import { fakeClient, refusal } from '@portico/client/testing'
import { after, walk } from '@portico/flow/testing'
import { UNEXPECTED } from '@portico/shell/failure'
import { neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { type Event, fillIn } from './fill-in.flow.ts'
import { draft, events, inputs, section } from './fill-in.samples.ts'
import { fillInServices } from './fill-in.services.ts'

const input = { drafts: [draft] }
const answered = (value: string, name = 'city'): Event => ({
  type: 'answered',
  section: 'kyc',
  name,
  value,
})

test('an answer is saved with the version in which it was entered', () => {
  expect(after(fillIn, input, [answered('Boston')]).slice(1)).toEqual([
    { type: 'save', section: 'kyc', version: 1, changes: { city: 'Boston' } },
  ])
  const [state] = after(fillIn, input, [
    answered('Boston'),
    { type: 'saved', section: section(2, 'Boston') },
  ])
  expect(state).toMatchObject({
    step: 'saved',
    drafts: [{ version: 2, answers: { city: 'Boston' }, unsaved: {} }],
  })
})

test('answers entered during a save are saved after it', () => {
  const [state, ...commands] = after(fillIn, input, [
    answered('Boston'),
    answered('Salem'),
    answered('1 Main Street', 'street'),
    { type: 'saved', section: section(2, 'Boston') },
  ])
  expect(state.step).toBe('saving')
  expect(commands).toEqual([
    {
      type: 'save',
      section: 'kyc',
      version: 2,
      changes: { city: 'Salem', street: '1 Main Street' },
    },
  ])
})

test('another device changed a different answer: both are saved', () => {
  const elsewhere = { ...section(5, 'Portland'), answers: { city: 'Portland', street: 'There 1' } }
  const [state, ...commands] = after(fillIn, input, [
    answered('Boston'),
    { type: 'changedElsewhere', section: elsewhere },
  ])
  expect(state).toMatchObject({ drafts: [{ answers: { street: 'There 1' }, conflicts: {} }] })
  expect(commands).toEqual([
    { type: 'save', section: 'kyc', version: 5, changes: { city: 'Boston' } },
  ])
})

test('another device changed the same answer: the user decides, and neither is lost', () => {
  const conflict: Event[] = [
    answered('Boston'),
    { type: 'changedElsewhere', section: section(5, 'Salem') },
  ]
  const [state] = after(fillIn, input, conflict)
  expect(state).toMatchObject({
    step: 'saved',
    drafts: [{ conflicts: { city: { mine: 'Boston', theirs: 'Salem' } } }],
  })
  // Nothing is submitted before the decision.
  expect(after(fillIn, input, [...conflict, { type: 'submitRequested' }])).toEqual([state])
  const decided = (keep: 'mine' | 'theirs') =>
    after(fillIn, input, [
      ...conflict,
      { type: 'conflictResolved', section: 'kyc', name: 'city', keep },
    ])
  expect(decided('mine').slice(1)).toEqual([
    { type: 'save', section: 'kyc', version: 5, changes: { city: 'Boston' } },
  ])
  expect(decided('theirs')).toMatchObject([
    { step: 'saved', drafts: [{ answers: { city: 'Salem' }, conflicts: {}, unsaved: {} }] },
  ])
})

test('a failed save keeps the answer, which is resent on request or with the next answer', () => {
  const failed: Event[] = [answered('Boston'), { type: 'refused', failure: UNEXPECTED }]
  const again = [{ type: 'save', section: 'kyc', version: 1, changes: { city: 'Boston' } }]
  expect(after(fillIn, input, [...failed, { type: 'retried' }]).slice(1)).toEqual(again)
  const [, command] = after(fillIn, input, [...failed, answered('1 Main Street', 'street')])
  expect(command).toMatchObject({ changes: { city: 'Boston', street: '1 Main Street' } })
})

test('4.9 the saved answers are submitted', () => {
  const [state, ...commands] = after(fillIn, input, [{ type: 'submitRequested' }])
  expect(state.step).toBe('submitting')
  expect(commands).toEqual([{ type: 'submit', sections: [{ section: 'kyc', version: 1 }] }])
  expect(after(fillIn, input, [answered('Boston'), { type: 'submitRequested' }])[0].step).toBe(
    'saving',
  )
})

test('an answer that is changed during a submission is saved if the submission is refused', () => {
  const refused: Event[] = [
    { type: 'submitRequested' },
    answered('Boston'),
    { type: 'refused', failure: UNEXPECTED },
  ]
  const [state] = after(fillIn, input, refused)
  expect(state).toMatchObject({ step: 'failed', drafts: [{ unsaved: { city: 'Boston' } }] })
  expect(after(fillIn, input, [...refused, { type: 'retried' }])[1]).toMatchObject({
    type: 'save',
    changes: { city: 'Boston' },
  })
})

test('random walk: a save is in flight exactly while the step is saving', () => {
  walk(
    fillIn,
    { inputs, events },
    {
      steps: 3000,
      invariant(state, commands) {
        if (commands.some(({ type }) => type === 'save')) expect(state.step).toBe('saving')
        if (commands.some(({ type }) => type === 'submit')) expect(state.step).toBe('submitting')
      },
    },
  )
})

test('7.6 a conflict is an answer; a refusal is shown', async () => {
  const answer = { isSaved: false, section: section(5, 'Salem') }
  const save = {
    type: 'save',
    section: 'kyc',
    version: 1,
    changes: { city: 'Boston' },
  } as const
  const passportUuid = '6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11'
  const run = (answers: Record<string, unknown>) =>
    fillInServices({ client: fakeClient(answers).client, passportUuid })
  expect(await run({ savePassportSection: answer }).save(save, neverAborted)).toEqual({
    type: 'changedElsewhere',
    section: answer.section,
  })
  expect(
    await run({ savePassportSection: refusal('passport-section-closed') }).save(save, neverAborted),
  ).toMatchObject({ type: 'refused', failure: { reason: 'passport-section-closed' } })
})
