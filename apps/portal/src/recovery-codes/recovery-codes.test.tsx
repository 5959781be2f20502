import { fakeClient, refusal } from '@portico/client/testing'
import { after, chance, walk } from '@portico/flow/testing'
import { lasting, seen } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { recoveryCodes } from './recovery-codes.flow.ts'
import { events, inputs } from './recovery-codes.samples.ts'
import { recoveryCodesServices } from './recovery-codes.services.ts'
import { RecoveryCodesView } from './recovery-codes.view.tsx'

const codes = ['abcd-efgh', 'ijkl-mnop']
const agreed = { type: 'agreed' } as const
const made = { type: 'made', codes } as const

test('codes are created after the user agrees, shown once, and gone when the dialog closes', () => {
  expect(after(recoveryCodes, null)).toEqual([{ step: 'asking' }])
  expect(after(recoveryCodes, null, [agreed, made])).toEqual([{ step: 'shown', codes }])
  expect(after(recoveryCodes, null, [agreed, made, { type: 'closed' }])).toEqual([
    { step: 'left' },
    { type: 'returnResult', result: 'changed' },
  ])
})

test('while they are created the dialog cannot be closed: the old ones may already be invalid', () => {
  expect(after(recoveryCodes, null, [agreed, { type: 'closed' }])).toEqual([{ step: 'making' }])
})

test('they can be downloaded as a text file and copied', async () => {
  const files: string[] = []
  const services = recoveryCodesServices({
    client: fakeClient({ makeRecoveryCodes: refusal('confirmation-needed') }).client,
    company: 'Figure',
    copy: async () => false,
    download: (name, text) => files.push(name, text),
    onResult: () => undefined,
  })
  await services.download({ type: 'download', codes }, lasting)
  expect(files[0]).toBe('recovery-codes.txt')
  expect(files[1]).toContain('abcd-efgh\r\nijkl-mnop\r\n')
  expect(await services.copy({ type: 'copy', codes }, lasting)).toEqual({
    type: 'copied',
    copied: false,
  })
  expect(await services.make({ type: 'make' }, lasting)).toMatchObject({
    failure: { reason: 'confirmation-needed' },
  })
})

test('a user with codes is warned that they stop working', () => {
  const text = (left: number) =>
    seen(
      <RecoveryCodesView
        state={{ step: 'asking' }}
        send={() => undefined}
        left={left}
        supportPhone="8005550142"
      />,
    ).text
  expect(text(8)).toContain('The 8 codes you have now stop working.')
  expect(text(0)).not.toContain('stop working')
})

test('random walk: the result is returned exactly once', () => {
  walk(
    recoveryCodes,
    { inputs, events },
    {
      steps: 2000,
      chance: chance(),
      invariant(state, commands, before) {
        const handedBack = commands.filter(({ type }) => type === 'returnResult')
        expect(handedBack).toHaveLength(state.step === 'left' && before.step !== 'left' ? 1 : 0)
      },
    },
  )
})
