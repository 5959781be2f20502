import { fakeClient, refusal } from '@portico/client/testing'
import { after, chance, walk } from '@portico/flow/testing'
import { lasting, seen } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { convertWallet, type Event } from './convert-wallet.flow.ts'
import { events, inputs } from './convert-wallet.samples.ts'
import { convertWalletServices } from './convert-wallet.services.ts'
import { ConvertWalletView } from './convert-wallet.view.tsx'

const confirmed: Event = { type: 'confirmed' }

test('2.2 the conversion is requested once, then the user returns', () => {
  expect(after(convertWallet, null, [confirmed]).slice(1)).toEqual([{ type: 'convert' }])
  expect(after(convertWallet, null, [confirmed, confirmed]).slice(1)).toEqual([])
  const converted = [confirmed, { type: 'converted', address: 'tp1new' }] as const
  expect(after(convertWallet, null, converted)).toEqual([{ step: 'converted', address: 'tp1new' }])
  expect(after(convertWallet, null, [...converted, { type: 'continued' }]).slice(1)).toEqual([
    { type: 'leave' },
  ])
})

test('2.2 the conversion shows that it is done, and no longer calls the wallet old', () => {
  const { text } = seen(
    <ConvertWalletView
      state={{ step: 'converted', address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh' }}
      send={() => undefined}
      walletAddress="tp1old"
      backTo="/auth/wallet"
      supportPhone=""
    />,
  )
  expect(text).toContain('Your wallet has been converted')
  expect(text).toContain('tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh')
  expect(text).not.toMatch(/old wallet/i)
})

test('2.2 random walk: one conversion at a time, and navigates once', () => {
  walk(
    convertWallet,
    { inputs, events },
    {
      steps: 500,
      chance: chance(),
      invariant(state, commands, before) {
        const leaves = commands.some(({ type }) => type === 'leave')
        expect(leaves).toBe(state.step === 'left' && before.step === 'converted')
        if (commands.some(({ type }) => type === 'convert')) {
          expect(before).toMatchObject({ step: 'asking', busy: false })
        }
      },
    },
  )
})

test.each([
  ['answers', { address: 'tp1new' }, { type: 'converted', address: 'tp1new' }],
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
