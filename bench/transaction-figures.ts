import { openChain } from '@portico/chain-client/chain'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import { sendMessage } from '@portico/chain-client/messages'
import { addressOf } from '@portico/keys/address'
import { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf, sign } from '@portico/keys/signature'
import { openDeviceKeyKeeper } from '@portico/self-custody/device-key-keeper'
import { memoryKeyStore } from '@portico/self-custody/unlocked-key'
import { memoryStore } from '@portico/wallet-kit/memory-store'
import { type Figure, figure, perSecond, short } from './figure.ts'
import { measureAlternately, median } from './pairs.ts'
import type { Engine } from './seeds.ts'
import { aSite } from './sites.ts'
import { runMain } from './start-figures.ts'

const PAYMENTS = 20
const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const KEY = new Uint8Array(32).fill(7)
const MESSAGE = new TextEncoder().encode('a transaction of usual length'.padEnd(300, '.'))

/**
 * A payment from a wallet on a device, one after another: prepared, approved, signed, sent and found in a block of the development
 * chain. Against a bare request to the same chain, and a bare signature.
 */
export async function transactionFigures(engine: Engine, rounds: number): Promise<Figure[]> {
  await using site = await aSite(engine, 1)
  await using running = await runMain(site.environment)
  const network = NETWORKS.testnet
  const chain = openChain(httpChainNode(`${running.url}/chain`))
  const keeper = openDeviceKeyKeeper({
    store: memoryStore(),
    unlockedKeyStore: memoryKeyStore(),
    chain,
    network,
    issuer: 'portico.example',
  })
  await keeper.createVault({
    words: WORDS,
    passphrase: 'granite lantern 47 orchard',
    accountName: 'Everyday',
  })
  const [account] = await keeper.accounts()
  const from = account?.address ?? ''
  const to = addressOf(publicKeyOf(KEY), network.prefix)
  const message = sendMessage({ from, to, amount: '1', denom: 'nhash' })
  // The chain funds an account when it is first asked about it.
  await chain.balances(from)
  let sent = 0
  const pay = async () => {
    const prompt = { promptId: `bench:${++sent}`, origin: undefined }
    const request = { kind: 'send' as const, address: from, messages: [message], group: null }
    const { approvalId } = await keeper.requestApproval(request, prompt)
    const result = await keeper.approve(approvalId)
    const { code }: { readonly code?: number } = Object(Reflect.get(result, 'txResponse'))
    if (code !== 0) throw new Error(`The payment failed: ${JSON.stringify(result)}`)
  }
  await pay()
  const { payment, read, signature } = await measureAlternately(rounds, {
    read: () => timeOfEach(() => chain.account(from)),
    signature: () => timeOfEach(async () => sign(KEY, MESSAGE)),
    payment: () => timeOfEach(pay),
  })
  const rates = (times: readonly number[]) => times.map((ms) => 1000 / ms)
  const row = { on: engine, ours: payment, write: (ms: number) => `${short(ms)} ms` }
  return [
    figure({
      ...row,
      figure: 'Payment from a device until in a block of the development chain; one request to it',
      baseline: read,
    }),
    figure({ ...row, figure: 'The same; a bare signature', baseline: signature }),
    figure({
      figure: 'Payments from one device, one after another; requests to the chain',
      on: engine,
      ours: rates(payment),
      baseline: rates(read),
      write: perSecond,
    }),
  ]
}

/** The median time of a task in milliseconds. */
async function timeOfEach(task: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let done = 0; done < PAYMENTS; done += 1) {
    const begin = performance.now()
    await task()
    times.push(performance.now() - begin)
  }
  return median(times)
}
