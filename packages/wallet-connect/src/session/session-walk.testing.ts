import * as fc from 'fast-check'
import { expect } from 'vitest'
import { fakePorts } from '../transport/testing.ts'
import { type OperationResult, WINDOW_MESSAGES } from './events.ts'
import { type FakeTab, fakeBrowser, type ScriptedWallet, scan, settled } from './testing.ts'
import { WalletConnectService } from './wallet-connect-service.ts'

/**
 * Random steps of two tabs, any number of wallets and a relay, compared with a model of §4.1 that is as small as
 * the section itself: which tab is pending with which code, and whether the origin has a session and until when.
 */

const STEPS = 100

const DURATION_S = 600
const ANSWER_LIMIT_MS = 20_000
// The maximum reconnect delay of a link.
const RECONNECT_MS = 31_000

const ANSWERS = ['right', 'wrong key', 'refusal', 'garbage', 'other id', 'twice', 'late'] as const
const REPLIES = ['approve', 'approve', 'bad token', 'reject', 'garbage'] as const

const tabOf = fc.nat({ max: 1 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('init'), tab: tabOf }) },
  // The newest code or an older one.
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('reply'),
      reply: fc.constantFrom(...REPLIES),
      age: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 3 })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('sign'),
      tab: tabOf,
      answer: fc.constantFrom(...ANSWERS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('update'), age: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end'), age: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disconnect'), tab: tabOf }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close modal'), tab: tabOf }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reload'), tab: tabOf }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), seconds: fc.nat({ max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear storage') }) },
) as fc.Arbitrary<Step>

type Step =
  | { do: 'init' | 'disconnect' | 'close modal' | 'reload'; tab: number }
  | { do: 'reply'; reply: (typeof REPLIES)[number]; age: number }
  | { do: 'sign'; tab: number; answer: (typeof ANSWERS)[number] }
  | { do: 'update' | 'end'; age: number }
  | { do: 'wait'; seconds: number }
  | { do: 'expire' | 'clear storage' }

interface Tab {
  readonly page: FakeTab
  readonly service: WalletConnectService
  readonly events: string[]
}

interface Code {
  readonly uri: string
  readonly wallet: ScriptedWallet
  /** Whether its wallet has responded, which uses up the code. */
  answered: boolean
}

/** The model: the rules of §4.1 without the implementation. */
interface Model {
  /** The pending code of each tab. */
  readonly pending: [Code | undefined, Code | undefined]
  session: { code: Code; expires: number } | undefined
}

function aWalk() {
  const { relay, time } = fakePorts()
  const browser = fakeBrowser(relay, time)
  const codes: Code[] = []
  const model: Model = { pending: [undefined, undefined], session: undefined }

  const load = (): Tab => {
    const page = browser.tab()
    const service = new WalletConnectService({
      ports: page.ports,
      requestTimeoutMs: ANSWER_LIMIT_MS,
    })
    const events: string[] = []
    for (const name of Object.values(WINDOW_MESSAGES)) {
      service.addListener(name, () => events.push(name))
    }
    return { page, service, events }
  }
  const tabs: [Tab, Tab] = [load(), load()]
  const tabAt = (tab: number) => tabs[tab] as Tab
  const codeAt = (age: number) => codes.at(-1 - age)

  const startSession = (code: Code) => {
    model.session = { code, expires: time.now() + DURATION_S * 1000 }
    model.pending.fill(undefined)
  }
  const endSession = () => {
    model.session = undefined
  }

  async function reply(code: Code, kind: (typeof REPLIES)[number]): Promise<void> {
    const waiting = code.answered ? -1 : model.pending.indexOf(code)
    code.answered = true
    if (kind === 'approve') await code.wallet.approve()
    if (kind === 'bad token') await code.wallet.approve({ jwt: (right) => right.slice(0, -6) })
    if (kind === 'reject') await code.wallet.reject()
    if (kind === 'garbage')
      await code.wallet.answer(code.wallet.received[0]?.['id'], { approved: 'yes' })
    if (waiting < 0) return
    if (kind === 'approve') startSession(code)
    else model.pending[waiting] = undefined
  }

  async function sign(tab: number, answer: (typeof ANSWERS)[number]): Promise<void> {
    const { service } = tabAt(tab)
    const { session } = model
    let result: OperationResult | undefined
    const operation = service.signHexMessage('deadbeef').then((ended) => {
      result = ended
    })
    await settled()
    const wallet = session?.code.wallet
    if (wallet === undefined) {
      await operation
      return expect(result).toMatchObject({ valid: false, error: 'No wallet connected' })
    }
    expect(service.state.pendingMethod).toBe('signHexMessage')
    const id = wallet.received.at(-1)?.['id']
    if (answer === 'right' || answer === 'twice') await wallet.answer(id)
    if (answer === 'twice') await wallet.answer(id)
    if (answer === 'wrong key') await wallet.answer(id, wallet.signature(id, { otherKey: true }))
    if (answer === 'refusal') await wallet.refuse(id, 'Sign request rejected by user')
    if (answer === 'garbage') await wallet.say({ id, jsonrpc: '2.0', what: 'ever' })
    if (answer === 'other id') await wallet.answer(Number(id) + 1, wallet.signature(id))
    await settled()
    // An operation without a valid response ends at the timeout, not earlier.
    const unanswered = ['garbage', 'other id', 'late'].includes(answer)
    expect(result === undefined).toBe(unanswered)
    time.pass(ANSWER_LIMIT_MS)
    await operation
    expect(result?.valid).toBe(answer === 'right' || answer === 'twice')
    if (answer === 'late') await wallet.answer(id)
    if (session !== undefined) {
      session.expires = time.now() + (unanswered ? 0 : -ANSWER_LIMIT_MS) + DURATION_S * 1000
    }
  }

  async function act(step: Step): Promise<void> {
    switch (step.do) {
      case 'init': {
        const { service } = tabAt(step.tab)
        await expect(service.init({ duration: DURATION_S })).resolves.toBe('initialized')
        if (model.session !== undefined) return
        const uri = service.state.modal.QRCodeUrl
        const code = { uri, wallet: await scan(uri, relay, time), answered: false }
        codes.push(code)
        model.pending[step.tab] = code
        return
      }
      case 'reply': {
        const code = codeAt(step.age)
        await settled()
        if (code !== undefined) await reply(code, step.reply)
        return
      }
      case 'sign':
        return sign(step.tab, step.answer)
      case 'update': {
        const code = codeAt(step.age)
        await settled()
        await code?.wallet.update()
        if (code !== undefined && code === model.session?.code) startSession(code)
        return
      }
      case 'end': {
        const code = codeAt(step.age)
        await settled()
        await code?.wallet.end()
        if (code !== undefined && code === model.session?.code) endSession()
        return
      }
      case 'disconnect':
        await tabAt(step.tab).service.disconnect()
        if (model.session !== undefined) endSession()
        model.pending[step.tab] = undefined
        return
      case 'close modal':
        tabAt(step.tab).service.updateModal({ showModal: false })
        model.pending[step.tab] = undefined
        return
      case 'reload':
        tabAt(step.tab).service.stop()
        tabs[step.tab as 0 | 1] = load()
        model.pending[step.tab] = undefined
        return
      case 'wait':
        time.pass(step.seconds * 1000)
        return
      case 'expire':
        time.pass(DURATION_S * 1000)
        return
      case 'clear storage':
        browser.clear()
        endSession()
    }
  }

  const liveTabs = () =>
    tabs.filter(({ service }) => service.state.status !== 'disconnected').length

  /** In steps of a second: if the clock jumps, a new connection times out before it is accepted. */
  async function reconnected(): Promise<void> {
    for (let passed = 0; passed < RECONNECT_MS; passed += 1000) {
      if (relay.connections() === liveTabs() + codes.length) return
      time.pass(1000)
      await settled()
    }
  }

  function check(): void {
    if (model.session !== undefined && time.now() >= model.session.expires) endSession()
    tabs.forEach(({ service, page, events }, tab) => {
      const pending = model.pending[tab] !== undefined
      const expected = model.session ? 'connected' : pending ? 'pending' : 'disconnected'
      expect(service.state.status).toBe(expected)
      expect(service.state.connected).toBe(expected === 'connected')
      expect(service.state.connectionEXP).toBe(model.session?.expires ?? null)
      expect(service.state.address === '').toBe(expected !== 'connected')
      expect(service.state.pendingMethod).toBe('')
      expect(page.reported).toEqual([])
      // A connection ends once: between two disconnect events there is a connect event or a failed attempt.
      const endings = events.filter((name) => name === 'FWC_DISCONNECT').length
      const beginnings = events.filter((name) => name === 'FWC_CONNECTED').length
      expect(endings).toBeLessThanOrEqual(beginnings + codes.length)
    })
    expect(relay.connections()).toBe(liveTabs() + codes.length)
    for (const { wallet } of codes) {
      const updates = wallet.received.filter(({ method }) => method === 'wc_sessionUpdate')
      expect(updates.length).toBeLessThanOrEqual(1)
    }
  }

  return {
    async take(step: Step, cut: boolean): Promise<void> {
      if (cut) {
        relay.cut()
        await settled()
        if (model.session && model.session.expires - time.now() <= 2 * RECONNECT_MS) {
          tabs[0].service.resetConnectionTimeout()
          model.session.expires = time.now() + DURATION_S * 1000
        }
        await reconnected()
      }
      await act(step)
      await settled()
      check()
    },
  }
}

/** Runs this many random walks of a hundred steps each. */
export async function walkSession(runs: number): Promise<void> {
  const walk = fc.array(fc.tuple(step, fc.integer({ min: 0, max: 9 })), {
    minLength: STEPS,
    maxLength: STEPS,
  })
  await fc.assert(
    fc.asyncProperty(walk, async (steps) => {
      const { take } = aWalk()
      for (const [each, chance] of steps) await take(each, chance === 0)
    }),
    { numRuns: runs, endOnFailure: true, verbose: 1 },
  )
}
