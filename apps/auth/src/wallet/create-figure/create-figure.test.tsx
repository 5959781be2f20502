import { fakeClient, refusal } from '@portico/client/testing'
import { after, chance, walk } from '@portico/flow/testing'
import { accountNameError } from '@portico/rules/field-errors'
import { UNEXPECTED } from '@portico/shell/failure'
import { lasting } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { seen } from '../../testing.tsx'
import { createFigure, type Event } from './create-figure.flow.ts'
import { events, inputs } from './create-figure.samples.ts'
import { createFigureServices } from './create-figure.services.ts'
import { CreateFigureView } from './create-figure.view.tsx'

const named: Event = { type: 'nameSubmitted', name: 'Everyday' }

test('2.6 a name is sent once, however often Submit is pressed', () => {
  expect(after(createFigure, null, [named])).toEqual([
    { step: 'naming', busy: true },
    { type: 'create', name: 'Everyday' },
  ])
  expect(after(createFigure, null, [named, named]).slice(1)).toEqual([])
})

test('4.8 random walk: one account is created at a time, and the result is returned once', () => {
  walk(
    createFigure,
    { inputs, events },
    {
      steps: 500,
      chance: chance(),
      invariant(state, commands, before) {
        const handsBack = commands.some(({ type }) => type === 'returnResult')
        expect(handsBack).toBe(state.step === 'created' && before.step === 'naming')
        if (commands.some(({ type }) => type === 'create')) {
          expect(before).toMatchObject({ step: 'naming', busy: false })
        }
      },
    },
  )
})

test('4.8 the created account is returned', () => {
  expect(after(createFigure, null, [named, { type: 'created', address: 'tp1new' }])).toEqual([
    { step: 'created' },
    { type: 'returnResult', address: 'tp1new' },
  ])
})

test.each(['', '  '])(
  "5 wallet account name: required ('Account name is required'): %j",
  (name) => {
    expect(accountNameError(name)).toBe('Account name is required')
    expect(accountNameError('Everyday')).toBeUndefined()
  },
)

test('7.4 account/hosted: name, default', async () => {
  const { client, asked } = fakeClient({ createHostedAccount: { address: 'tp1new' } })
  const services = createFigureServices({ client, onCreated: () => undefined })
  expect(await services.create({ type: 'create', name: 'Everyday' }, lasting)).toEqual({
    type: 'created',
    address: 'tp1new',
  })
  expect(asked).toEqual([
    { name: 'createHostedAccount', body: { name: 'Everyday', default: true } },
  ])
})

test('8 a failure is shown on the name field, plus the server errors', async () => {
  const { client } = fakeClient({ createHostedAccount: refusal('too-many-accounts') })
  const services = createFigureServices({ client, onCreated: () => undefined })
  const heard = await services.create({ type: 'create', name: 'Everyday' }, lasting)
  expect(heard).toMatchObject({
    type: 'refused',
    failure: { notices: ['You cannot add another account. Please contact support.'] },
  })
  const nothing = () => undefined
  const { text } = seen(
    <CreateFigureView
      state={{ step: 'naming', busy: false, failure: UNEXPECTED }}
      send={nothing}
      onBack={nothing}
      supportPhone="8005550142"
    />,
  )
  expect(text).toContain('Something went wrong on our side.')
  expect(text).toContain('Account Name')
  expect(text).toContain('Error submitting New Account Back Submit')
})
