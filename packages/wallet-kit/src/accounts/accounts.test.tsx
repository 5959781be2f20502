import { refusal } from '@portico/client/testing'
import { after, walk } from '@portico/flow/testing'
import { neverAborted, renderStatic } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import type { WalletAccount } from '../key-keeper.ts'
import { accounts, type Event } from './accounts.flow.ts'
import { events, inputs } from './accounts.samples.ts'
import { accountsServices } from './accounts.services.ts'
import { AccountsView } from './accounts.view.tsx'

const full = { empty: false }
const create = { type: 'formOpened', form: { kind: 'create' } } as const
const submitted = { type: 'submitted', values: { name: 'Savings' } } as const

test('4.8 an account is created with its name, and the wallet is notified', () => {
  expect(after(accounts, full, [create, submitted])[1]).toEqual({
    type: 'save',
    form: { kind: 'create' },
    values: { name: 'Savings' },
  })
  expect(after(accounts, full, [create, submitted, { type: 'saved' }])).toEqual([
    { step: 'listing' },
    { type: 'returnResult', result: 'changed' },
  ])
})

test('without an account only the form is shown, without Back', () => {
  const [first] = after(accounts, { empty: true }, [])
  expect(first).toMatchObject({ step: 'filling', form: { kind: 'create' }, leavable: false })
  expect(after(accounts, { empty: true }, [{ type: 'back' }])).toEqual([first])
})

test('a random walk saves one form at a time', () => {
  walk(
    accounts,
    { inputs, events },
    {
      steps: 2000,
      invariant(_, commands, before) {
        if (commands.some(({ type }) => type === 'save'))
          expect(['filling', 'confirming']).toContain(before.step)
      },
    },
  )
})

test('7.4 the services call the key keeper and report refusals', async () => {
  const created: unknown[] = []
  const services = accountsServices({
    keyKeeper: {
      create: async (account) => void created.push(account),
      rename: async () => Promise.reject(refusal('account-name-required')),
      lock: async () => undefined,
    },
    onResult: () => undefined,
  })
  const restore = { type: 'save', form: { kind: 'restore' } } as const
  const values = { name: 'Old', words: 'one two' }
  expect(await services.save({ ...restore, values }, neverAborted)).toEqual({ type: 'saved' })
  expect(created).toEqual([values])
  const rename = { kind: 'rename', address: 'tp1', name: 'Old' } as const
  expect(
    await services.save({ type: 'save', form: rename, values: { name: '' } }, neverAborted),
  ).toMatchObject({ type: 'refused', failure: { notices: ['Account name is required'] } })
  expect(await services.lock({ type: 'lock' }, neverAborted)).toEqual({ type: 'locked' })
})

const account: WalletAccount = {
  name: 'Everyday',
  address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
  publicKey: '',
  verified: true,
  groups: [{ name: 'Larch Partners', address: 'tp1larch' }],
}

const view = (previous: readonly Event[], input = full) =>
  renderStatic(
    <AccountsView
      state={after(accounts, input, previous)[0]}
      send={() => undefined}
      list={[account]}
      confirm={() => 'Enter your password to make this change.'}
      onLogIn={() => undefined}
    />,
  )

test('2.7 the list shows names, short addresses, badges and groups', () => {
  const { text, html } = view([])
  expect(text).toContain('Everyday Verified tp1kn...tklkh May act for Larch Partners')
  expect(html).toContain('aria-label="Rename Everyday"')
})

test('2.6 the first account is given a name', () => {
  expect(view([], { empty: true }).text).toContain('Give Your Account a Name')
})

test("8 an account that could not be created shows 'Error submitting New Account' at its name", () => {
  const refused = { type: 'refused', failure: { notices: ['No room'] } } as const
  const { text } = view([create, submitted, refused])
  expect(text).toContain('No room')
  expect(text).toContain('Error submitting New Account')
})

const restore = { type: 'formOpened', form: { kind: 'restore' } } as const
const words = { type: 'submitted', values: { name: 'Old', words: 'one two' } } as const

test('8 restoring leads through the confirmation, and then continues with the same words', async () => {
  const services = accountsServices({
    keyKeeper: {
      create: async () => Promise.reject(refusal('confirmation-needed')),
      rename: async () => undefined,
      lock: async () => undefined,
    },
    onResult: () => undefined,
  })
  const [, save] = after(accounts, full, [restore, words])
  if (save?.type !== 'save') throw new Error('Nothing is saved')
  const needed = await services.save(save, neverAborted)
  expect(needed).toEqual({ type: 'confirmationNeeded' })

  const asked = [restore, words, { type: 'confirmationNeeded' }] as const
  const { text } = view(asked)
  expect(text).toContain("Confirm it's you")
  expect(text).toContain('Enter your password to make this change.')
  expect(after(accounts, full, [...asked, { type: 'confirmed' }])[1]).toEqual(save)
  // Going back keeps what was entered.
  const { html } = view([...asked, { type: 'back' }])
  expect(html).toContain('value="one two"')
  expect(html).toContain('value="Old"')
})

test.each(['create', 'restore', 'rename'] as const)(
  '8 a name that another account has is refused at the field of the form: %s',
  (kind) => {
    const form = kind === 'rename' ? { kind, address: 'tp1', name: 'Old' } : { kind }
    const failure = { notices: ['You already have it.'], reason: 'account-name-used' }
    const { text } = view([{ type: 'formOpened', form }, submitted, { type: 'refused', failure }])
    expect(text.split('You already have it.')).toHaveLength(2)
    expect(text).not.toContain('Error submitting New Account')
  },
)
