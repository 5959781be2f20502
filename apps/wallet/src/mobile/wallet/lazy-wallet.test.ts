import { expect, test, vi } from 'vitest'
import { fakeOpenWallet } from '../testing.ts'
import { lazyWallet } from './lazy-wallet.ts'

test('7.4 if the code cannot be loaded, the next attempt loads it again', async () => {
  const { requests } = fakeOpenWallet({ vault: { passphrase: '', words: '' } })
  const keeper = { subscribe: () => () => undefined, history: async () => [] }
  const load = vi
    .fn<Parameters<typeof lazyWallet>[0]>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    // Only what is used here.
    .mockResolvedValue({ keeper, requests } as unknown as Awaited<
      ReturnType<Parameters<typeof lazyWallet>[0]>
    >)
  const wallet = lazyWallet(load)
  await expect(wallet.keeper.history()).rejects.toThrow('Failed to fetch')
  expect(await wallet.keeper.history()).toEqual([])
  expect(await wallet.keeper.history()).toEqual([])
  expect(load).toHaveBeenCalledTimes(2)
})
