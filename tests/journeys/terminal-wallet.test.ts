import { randomBytes, randomUUID } from 'node:crypto'
import { bytesOfBase64, bytesOfHex } from '@portico/keys/bytes'
import { verifyJwt } from '@portico/keys/jwt'
import { verify } from '@portico/keys/signature'
import {
  envelopeKey,
  formatUri,
  newRpcId,
  open,
  parseAccounts,
  parseFrame,
  parseHandshakeResponse,
  parseRpc,
  parseSessionUpdate,
  type RpcMessage,
  type RpcRequest,
  seal,
  sessionEnd,
  sessionRequest,
  signRequest,
  walletActionRequest,
} from '@portico/wallet-connect/protocol'
import { expect, test, vi } from 'vitest'
import { RELAY, relayClient } from '../support/relay-client.ts'
import { terminalWallet } from '../support/terminal-wallet.ts'
import { aWorld } from '../support/world.ts'

const WAITS = { timeout: 60_000, interval: 20 }
const WORDS = `${'abandon '.repeat(11)}about`
const ADDRESS = 'tp1pcdkvwr4weug2fytcpyazep9xfxrqc7zpjsmgl'
const GROUP = 'tp12qln82de59yg7j4e029zd33jdh5s2l5wn86zpjuq0wk9c06f876qzkf7e2'

/** A page that implements only the protocol, so that the wallet is tested without our page library. */
async function aPage(url: string) {
  const secret = new Uint8Array(randomBytes(32))
  const [key, client] = await Promise.all([envelopeKey(secret), relayClient(url)])
  const [handshakeTopic, pageId] = [randomUUID(), randomUUID()]
  const uri = formatUri({
    handshakeTopic,
    bridge: new URL(RELAY, url).href,
    key: secret,
    options: { jwtExpirationS: 3600 },
  })
  const receivedMessages = async (): Promise<readonly RpcMessage[]> => {
    const texts = await Promise.all(
      client.frames.map((text) => open(key, parseFrame(text)?.payload ?? '')),
    )
    return texts.flatMap((text) => parseRpc(text ?? '') ?? [])
  }
  const send = async (topic: string, message: RpcRequest) =>
    client.publish(topic, await seal(key, JSON.stringify(message)))
  async function ask(topic: string, message: RpcRequest) {
    await send(topic, message)
    return vi.waitFor(async () => {
      const answer = (await receivedMessages()).find(
        ({ id, kind }) => id === message.id && kind !== 'request',
      )
      return answer?.kind === 'success' || answer?.kind === 'error'
        ? answer
        : expect.fail('no answer yet')
    }, WAITS)
  }
  client.subscribe(pageId)
  const peerMeta = { name: 'Journey', description: '', url: 'https://page.example', icons: [] }
  return {
    uri,
    receivedMessages,
    send,
    ask,
    connect: async () =>
      parseHandshakeResponse(
        await ask(
          handshakeTopic,
          sessionRequest(newRpcId(), { peerId: pageId, peerMeta, chainId: null }),
        ),
      ),
    [Symbol.dispose]: client[Symbol.dispose],
  }
}

const described = () => ({ id: newRpcId(), description: 'Sign Message', address: ADDRESS, date: 1 })

test('2.7 a wallet in its own process connects through the relay, signs, acts for a group and is notified of the end', async () => {
  await using world = await aWorld()
  using page = await aPage(world.url)
  using wallet = terminalWallet(page.uri, ['yes', 'yes', 'no', 'yes'], { words: WORDS })
  const outcome = await page.connect()
  if (outcome?.kind !== 'approved') return expect.fail(wallet.output())
  const account = parseAccounts(outcome.approval.accounts)
  const { peerId } = outcome.approval
  expect(account.address).toBe(ADDRESS)
  const now = Date.now() / 1000
  expect(verifyJwt(account.jwt, { now, issuer: 'provenance.io' })).toMatchObject({
    ok: true,
    claims: { addr: ADDRESS },
  })

  const signed = await page.ask(peerId, signRequest({ ...described(), hex: '68656c6c6f' }))
  if (signed.kind !== 'success') return expect.fail(signed.message)
  const [publicKey, signature] = [
    bytesOfBase64(account.publicKey),
    bytesOfHex(String(signed.result)),
  ]
  expect(
    publicKey && signature && verify(publicKey, new TextEncoder().encode('hello'), signature),
  ).toBe(true)
  expect(await page.ask(peerId, signRequest({ ...described(), hex: '00' }))).toMatchObject({
    message: 'Sign request rejected by user',
  })

  const payload = { address: GROUP }
  expect(
    await page.ask(
      peerId,
      walletActionRequest({ ...described(), action: 'switchToGroup', payload }),
    ),
  ).toMatchObject({ kind: 'success' })
  const updates = (await page.receivedMessages()).flatMap(
    (each) => (each.kind === 'request' ? parseSessionUpdate(each) : undefined) ?? [],
  )
  const [update] = updates
  if (update?.kind !== 'updated') return expect.fail('no update')
  const acting = parseAccounts(update.accounts)
  expect(acting.representedGroupPolicy).toEqual({ address: GROUP })
  expect(verifyJwt(acting.jwt, { now })).toMatchObject({
    ok: true,
    claims: { addr: ADDRESS, grp: GROUP },
  })

  await page.send(peerId, sessionEnd(newRpcId()))
  expect(await wallet.ended).toBe(0)
  expect(wallet.output()).toContain('text         hello')
  expect(wallet.output()).toContain('The page ended the session.')
})

test('2.7 a person who declines or does not answer is not connected', async () => {
  await using world = await aWorld()
  for (const answers of [['no'], []] as const) {
    using page = await aPage(world.url)
    using wallet = terminalWallet(page.uri, answers, { words: WORDS })
    expect(await page.connect()).toEqual({
      kind: 'rejected',
      message: 'Connection rejected by user',
    })
    expect(await wallet.ended).toBe(0)
  }
})
