import { fakeClient, refusal } from '@portico/client/testing'
import { after, chance, walk } from '@portico/flow/testing'
import { lasting } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { convertWallet, type Event } from './convert-wallet.flow.ts'
import { events, inputs } from './convert-wallet.samples.ts'
import { convertWalletServices } from './convert-wallet.services.ts'

const confirmed: Event = { type: 'confirmed' }

test('2.2 the conversion is asked for once, and then leads back', () => {
  expect(after(convertWallet, null, [confirmed]).slice(1)).toEqual([{ type: 'convert' }])
  expect(after(convertWallet, null, [confirmed, confirmed]).slice(1)).toEqual([])
  expect(after(convertWallet, null, [confirmed, { type: 'converted' }])).toEqual([
    { step: 'converted' },
    { type: 'leave' },
  ])
})

test('2.2 a walk converts once at a time and leaves once', () => {
  walk(
    convertWallet,
    { inputs, events },
    {
      steps: 500,
      chance: chance(),
      invariant(state, commands, before) {
        const leaves = commands.some(({ type }) => type === 'leave')
        expect(leaves).toBe(state.step === 'converted' && before.step === 'asking')
        if (commands.some(({ type }) => type === 'convert')) {
          expect(before).toMatchObject({ step: 'asking', busy: false })
        }
      },
    },
  )
})

test.each([
  ['answers', { address: 'tp1new' }, { type: 'converted' }],
  ['refuses', refusal('wallet-not-convertible'), { type: 'refused' }],
])('7.4 the conversion names the old wallet; the server %s', async (_, answer, heard) => {
  const { client, asked } = fakeClient({ convertWallet: answer })
  const gone: string[] = []
  const services = convertWalletServices({
    client,
    navigate: (to) => gone.push(to),
    walletAddress: 'tp1old',
    to: '/auth/wallet',
  })
  expect(await services.convert({ type: 'convert' }, lasting)).toMatchObject(heard)
  expect(asked).toEqual([{ name: 'convertWallet', body: { walletAddress: 'tp1old' } }])
  void services.leave({ type: 'leave' }, lasting)
  expect(gone).toEqual(['/auth/wallet'])
})
