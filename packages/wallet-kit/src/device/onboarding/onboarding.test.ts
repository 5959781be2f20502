import { after, walk } from '@portico/flow/testing'
import { neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { onboarding } from './onboarding.flow.ts'
import { events, inputs, WORDS } from './onboarding.samples.ts'
import { onboardingServices } from './onboarding.services.ts'

test('2.6 a random walk saves new words only after they were shown and checked', () => {
  let wereShown = false
  walk(
    onboarding,
    { inputs, events },
    {
      steps: 5000,
      invariant(state, commands, before) {
        if (state.step === 'generating') wereShown = false
        if (state.step === 'writing' && state.isShown) wereShown = true
        if (!commands.some(({ type }) => type === 'save')) return
        expect(['checking', 'protectingRestored']).toContain(before.step)
        if (before.step === 'checking') expect(wereShown).toBe(true)
      },
    },
  )
})

test('2.6 a wrong word asks for other words, and going back hides the words', () => {
  const checking = [
    { type: 'createChosen' },
    { type: 'protected', protection: { passphrase: 'p', accountName: 'a' } },
    { type: 'wordsGenerated', words: WORDS },
    { type: 'wordsShown' },
    { type: 'writtenDown' },
    { type: 'positionsDrawn', positions: [0, 7, 23] },
  ] as const
  const wrong = { type: 'wordsConfirmed', answers: ['bleak', 'general', 'alpha'] } as const
  const [state, command] = after(onboarding, null, [...checking, wrong])
  expect(state).toMatchObject({ step: 'checking', wrongAttempts: 1 })
  expect(command).toEqual({ type: 'drawPositions', count: 24 })
  expect(after(onboarding, null, [...checking, { type: 'back' }])[0]).toMatchObject({
    step: 'writing',
    words: WORDS,
    isShown: false,
  })
})

const services = onboardingServices({ keeper: { createVault: async () => undefined } })

test('2.6 the checked positions are different, in order and random', async () => {
  const drawn = new Set<string>()
  for (let time = 0; time < 50; time += 1) {
    const event = await services.drawPositions({ type: 'drawPositions', count: 12 }, neverAborted)
    const { positions } = event as Extract<typeof event, { type: 'positionsDrawn' }>
    expect(positions).toEqual([...new Set(positions)].sort((left, right) => left - right))
    expect(positions).toHaveLength(3)
    expect(positions.every((position: number) => position >= 0 && position < 12)).toBe(true)
    drawn.add(positions.join())
  }
  expect(drawn.size).toBeGreaterThan(10)
})

test.each([12, 24] as const)('2.6 %i words are generated', async (count) => {
  const event = await services.generateWords({ type: 'generateWords', count }, neverAborted)
  expect((event as Extract<typeof event, { type: 'wordsGenerated' }>).words).toHaveLength(count)
})
