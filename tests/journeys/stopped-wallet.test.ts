import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  envelopeKey,
  formatUri,
  newRpcId,
  open,
  parseFrame,
  parseHandshakeResponse,
  parseRpc,
  type RpcRequest,
  seal,
  sessionRequest,
  signRequest,
} from '@portico/wallet-connect/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { RELAY, relayClient } from '../support/relay-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aWorld } from '../support/world.ts'

const WAITS = { timeout: 60_000, interval: 20 }
const WALLET = path.resolve(import.meta.dirname, '../support/stopped-wallet.ts')

/** Starts the wallet process. */
function aWallet(...args: readonly string[]) {
  const child = spawn(process.execPath, [WALLET, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close').then(([, signal]) => signal as string)
  onTestFinished(() => void child.kill('SIGKILL'))
  return { ended, output: () => output, kill: () => child.kill('SIGKILL') }
}

test('protocol 3.4: a request that was delivered to a wallet that is killed at once is answered after its restart', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  using folder = temporaryFolder()
  const file = path.join(folder.path, 'session')
  const secret = new Uint8Array(randomBytes(32))
  using client = await relayClient(world.url)
  const key = await envelopeKey(secret)
  const [handshakeTopic, pageId] = [randomUUID(), randomUUID()]
  client.subscribe(pageId)
  const send = async (topic: string, message: RpcRequest) =>
    client.publish(topic, await seal(key, JSON.stringify(message)))
  const answerTo = (message: RpcRequest) =>
    vi.waitFor(async () => {
      const texts = await Promise.all(
        client.frames.map((text) => open(key, parseFrame(text)?.payload ?? '')),
      )
      const answers = texts.flatMap((text) => parseRpc(text ?? '') ?? [])
      const answer = answers.find(({ id, kind }) => id === message.id && kind !== 'request')
      return answer?.kind === 'success' || answer?.kind === 'error'
        ? answer
        : expect.fail('no answer yet')
    }, WAITS)
  const peerMeta = { name: 'Journey', description: '', url: 'https://page.example', icons: [] }
  const request = sessionRequest(newRpcId(), { peerId: pageId, peerMeta, chainId: null })
  await send(handshakeTopic, request)
  const bridge = new URL(RELAY, world.url).href
  const uri = formatUri({ handshakeTopic, bridge, key: secret, options: {} })

  const first = aWallet(uri, file)
  const outcome = parseHandshakeResponse(await answerTo(request))
  if (outcome?.kind !== 'approved') return expect.fail('not approved')
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), WAITS)
  first.kill()
  await first.ended

  const second = aWallet(uri, file, 'kill')
  await vi.waitFor(() => expect(second.output()).toContain('open'), WAITS)
  const sign = signRequest({
    id: newRpcId(),
    description: 'Sign Message',
    address: '',
    date: 1,
    hex: '68656c6c6f',
  })
  const { peerId } = outcome.approval
  await send(peerId, sign)
  expect(await second.ended).toBe('SIGKILL')

  aWallet(uri, file)
  expect(await answerTo(sign)).toMatchObject({ kind: 'success' })
})
