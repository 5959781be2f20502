import { refusal } from '@portico/client/testing'
import { after, moves, walk } from '@portico/flow/testing'
import { shortAddress } from '@portico/rules/short-address'
import { neverAborted, renderStatic } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import type { ApprovalPrompt } from '../approval-prompt.ts'
import type { PendingApproval } from '../key-keeper.ts'
import { approval, type Event, type State } from './approval.flow.ts'
import { connecting, events, inputs, sending, signing, transfer } from './approval.samples.ts'
import { approvalServices } from './approval.services.ts'
import { ApprovalView } from './approval.view.tsx'

const approvalCreated = {
  type: 'approvalCreated',
  approval: { approvalId: 'approval', words: { kind: 'text', text: 'I agree' }, proof: null },
} as const satisfies Event
const settled = { type: 'settled' } as const
const endSeen = { type: 'endSeen' } as const
const approved = { type: 'approved' } as const
const rejected = { type: 'rejected' } as const
/** The request is shown, has settled, and was read to its end. */
const reviewed = [approvalCreated, endSeen, settled] as const
const unreachable = { notices: ['Error fetching'], reason: 'unreachable' }

test('2.8 a click before the approval has settled does nothing', () => {
  const [appearing] = after(approval, signing, [approvalCreated])
  for (const click of [approved, rejected]) {
    expect(after(approval, signing, [approvalCreated, click])).toEqual([appearing])
  }
  expect(after(approval, signing, [...reviewed, approved])[1]).toEqual({
    type: 'approve',
    approvalId: 'approval',
  })
})

test('2.8 content that moves or is hidden has to settle again', () => {
  const state = after(approval, signing, [...reviewed, { type: 'disturbed' }])
  expect(state[0].step).toBe('appearing')
  const moved = [...reviewed, { type: 'disturbed' }, approved] as const
  expect(after(approval, signing, moved)[0].step).toBe('appearing')
})

test('7.4 a declined request is rejected at the key keeper and returned', () => {
  expect(after(approval, signing, [approvalCreated, settled, rejected])).toEqual([
    { step: 'answered' },
    { type: 'reject', approvalId: 'approval' },
    { type: 'returnResult', promptId: '2', result: undefined },
  ])
})

test('7.4 after a refusal a new approval is requested, since each is valid once', () => {
  const failure = { notices: ['No'], reason: 'approval-over' }
  const previous = [...reviewed, approved, { type: 'refused', failure }] as const
  expect(after(approval, signing, previous)[0]).toMatchObject({ step: 'stopped', failure })
  expect(after(approval, signing, [...previous, { type: 'retried' }])).toEqual([
    { step: 'preparing', prompt: signing },
    { type: 'requestApproval', request: signing.request },
  ])
})

test('7.4 a transaction with unknown outcome is not offered again', () => {
  const previous = [...reviewed, approved, { type: 'refused', failure: unreachable }] as const
  expect(after(approval, sending, previous)[0].step).toBe('outcomeUnknown')
  expect(after(approval, sending, [...previous, { type: 'retried' }])[0].step).toBe(
    'outcomeUnknown',
  )
  expect(after(approval, signing, previous)[0].step).toBe('stopped')
  expect(after(approval, sending, [...previous, { type: 'acknowledged' }])[1]).toMatchObject({
    type: 'returnResult',
    result: 'outcome-unknown',
  })
})

test.each([
  ['a refused signature', signing, 'approval-over', 'stopped', true],
  ['a refused transaction', sending, 'too-many-requests', 'stopped', true],
  ['a signature without a response', signing, 'unreachable', 'stopped', true],
  ['a transaction without a confirmation', sending, 'approval-unproven', 'proving', true],
  ['a transaction without a response', sending, 'unreachable', 'outcomeUnknown', false],
  ["a transaction with a proxy's response", sending, 'no-message', 'outcomeUnknown', false],
] as const)(
  'protocol 9.4: after %s the request can be withdrawn if nothing was carried out',
  (_, prompt, reason, step, isReleased) => {
    const refused = { type: 'refused', failure: { notices: ['No'], reason } } as const
    const [state, ...commands] = after(approval, prompt, [...reviewed, approved, refused])
    expect(state.step).toBe(step)
    expect(commands).toEqual(isReleased ? [{ type: 'release' }] : [])
  },
)

test('4.1 the chosen account or group is connected', () => {
  expect(
    after(approval, connecting, [settled, { type: 'chosen', value: 'group' }, approved])[1],
  ).toMatchObject({ type: 'connect', request: connecting.choices[1]?.request })
  expect(after(approval, connecting, [settled, { type: 'chosen', value: 'unknown' }])[0]).toEqual(
    after(approval, connecting, [settled])[0],
  )
})

test('a random walk returns exactly one result and approves only settled content', () => {
  walk(
    approval,
    { inputs, events },
    {
      steps: 4000,
      invariant(state, commands, before) {
        const results = commands.filter(({ type }) => type === 'returnResult')
        const leaves = state.step === 'answered' && before.step !== 'answered'
        expect(results).toHaveLength(leaves ? 1 : 0)
        if (state.step === 'approving' && before.step !== 'approving') {
          expect(before.step).toBe('asking')
        }
      },
    },
  )
})

test('every step that shows a request waits for it to settle first', () => {
  for (const { to, from, commands } of moves(approval, { inputs, events })) {
    if (to === 'asking' && from !== 'asking') expect(from).toBe('appearing')
    if (to === 'appearing' && from !== 'appearing') expect(commands).toContain('awaitStillness')
  }
})

const unexpected = () => expect.fail('The key keeper must not be called')
const visibility = { settled: async () => undefined, disturbed: async () => undefined }

test('7.4 connecting requests an approval of exactly the choice and approves it', async () => {
  const approvedIds: string[] = []
  const services = approvalServices({
    prompt: signing,
    keyKeeper: {
      requestApproval: async () => ({
        approvalId: 'made',
        words: { kind: 'connect', lifetimeS: 1 },
        proof: null,
      }),
      async approve(approvalId) {
        approvedIds.push(approvalId)
        return { kind: 'sign', signature: '00' }
      },
      reject: async () => undefined,
    },
    visibility,
    commit: async () => true,
    release: () => undefined,
    onAnswer: () => undefined,
  })
  const request = connecting.choices[0]?.request ?? expect.fail()
  expect(await services.connect({ type: 'connect', request }, neverAborted)).toMatchObject({
    type: 'resultReceived',
  })
  expect(approvedIds).toEqual(['made'])
})

test('protocol 9.4: a request that the page has withdrawn is not carried out', async () => {
  const services = approvalServices({
    prompt: signing,
    keyKeeper: { requestApproval: unexpected, approve: unexpected, reject: unexpected },
    visibility,
    commit: async () => false,
    release: () => expect.fail('released'),
    onAnswer: () => expect.fail('answered'),
  })
  const { request } = sending
  expect(
    await services.approve({ type: 'approve', approvalId: 'made' }, neverAborted),
  ).toBeUndefined()
  expect(await services.connect({ type: 'connect', request }, neverAborted)).toBeUndefined()
})

test('7.4 refusals of the key keeper are shown, and rejecting an expired approval is not a failure', async () => {
  const no = async () => Promise.reject(refusal('approval-over'))
  const services = approvalServices({
    prompt: signing,
    keyKeeper: { requestApproval: no, approve: no, reject: no },
    visibility,
    commit: async () => true,
    release: () => undefined,
    onAnswer: () => undefined,
  })
  const request = signing.request
  expect(
    await services.requestApproval({ type: 'requestApproval', request }, neverAborted),
  ).toMatchObject({
    type: 'refused',
    failure: { reason: 'approval-over' },
  })
  expect(
    await services.reject({ type: 'reject', approvalId: 'approval' }, neverAborted),
  ).toBeUndefined()
})

const view = (prompt: ApprovalPrompt, previous: readonly Event[], waiting = 1) => {
  const [state]: readonly [State, ...unknown[]] = after(approval, prompt, previous)
  return renderStatic(
    <ApprovalView
      state={state}
      send={() => undefined}
      onLogIn={() => undefined}
      waiting={waiting}
      unlock={(_, approvalId) => (approvalId === undefined ? 'Unlock here' : 'Prove it here')}
    />,
  )
}

test('2.8 the approval names the page, the content and the signer; reject is on the left', () => {
  const { html, text } = view(signing, reviewed)
  expect(text).toBe(
    'Sign this message? https://lender.example (verified) wants you to sign this text. I agree ' +
      'Signing as Everyday tp1kn...tklkh Reject Sign',
  )
  expect(html).not.toContain('disabled=""')
  expect(view(signing, [approvalCreated]).html.match(/disabled=""/g)).toHaveLength(2)
})

test('2.7 a page connects to individual or organizational accounts', () => {
  const { text } = view(connecting, [settled])
  expect(text).toContain('Individual Accounts Everyday tp1kn...tklkh')
  expect(text).toContain('Organizational Accounts Larch Partners')
  expect(text).toContain('Signing as Everyday')
})

test('4.1 if no account meets the requirements there is nothing to approve', () => {
  const { html, text } = view({ ...connecting, choices: [] }, [settled])
  expect(text).toContain('wants an account or an organization that this wallet does not have.')
  expect(html).not.toContain('Connecting…')
})

test('8 after a session has ended the login opens in a separate window, never in the frame', () => {
  const failure = { notices: ['Your session has ended.'], reason: 'session-ended' }
  const { html, text } = view(signing, [{ type: 'refused', failure }])
  expect(text).toContain('Your session has ended. Log in')
  expect(html).not.toContain('href=')
})

test("2.8 a locked wallet confirms the user's identity first and then requests the approval again", () => {
  const locked = { notices: ['Locked'], reason: 'wallet-locked' }
  const prompted = after(approval, signing, [{ type: 'refused', failure: locked }])
  expect(prompted).toEqual([{ step: 'locked', prompt: signing }])
  const refusedLate = [...reviewed, approved, { type: 'refused', failure: locked }] as const
  expect(after(approval, signing, refusedLate)[0].step).toBe('locked')
  expect(after(approval, signing, [...refusedLate, { type: 'unlocked' }])).toEqual(
    after(approval, signing, []),
  )
  const { text } = view(signing, [{ type: 'refused', failure: locked }])
  expect(text).toContain('Unlock here')
  expect(text).not.toContain('I agree')
})

const transferCreated = (changes: Partial<PendingApproval> = {}) =>
  ({
    type: 'approvalCreated',
    approval: { approvalId: 'approval', words: transfer, proof: null, ...changes },
  }) as const satisfies Event

test('2.8 the title of a transaction names its effect, known addresses have names, and bytes are behind a disclosure', () => {
  const { html, text } = view(sending, [transferCreated(), endSeen, settled])
  expect(text).toMatch(/^Send 25 hash to Larch Partners\? https:\/\/lender\.example \(verified\)/)
  expect(text).toContain('To Larch Partners')
  const [shown = '', disclosed = ''] = html.split('<details')
  expect(shown).not.toContain('c0ffee')
  expect(shown.replace(/title="[^"]*"/g, '')).not.toContain('q'.repeat(58))
  expect(disclosed).toContain('c0ffee')
  expect(disclosed).toContain('q'.repeat(58))
})

test('2.8 approve is disabled with a hint until the end was seen once', () => {
  expect(after(approval, sending, [transferCreated(), settled, approved])[0].step).toBe('asking')
  const { html, text } = view(sending, [transferCreated(), settled])
  expect(text).toContain('Scroll to the end to approve.')
  expect(html.match(/disabled=""/g)).toHaveLength(1)
  const again = [
    transferCreated(),
    endSeen,
    settled,
    { type: 'disturbed' },
    settled,
    approved,
  ] as const
  expect(after(approval, sending, again)[0].step).toBe('approving')
})

test('2.8 a list of accounts does not have to be read to its end', () => {
  const { html, text } = view(connecting, [settled])
  expect(text).not.toContain('Scroll to the end')
  expect(html).not.toContain('disabled=""')
  expect(after(approval, connecting, [approved])[0].step).toBe('appearing')
  expect(after(approval, connecting, [settled, approved])[0].step).toBe('approving')
})

test('2.8 unreadable content is approved only after a second confirmation', () => {
  for (const words of [
    { kind: 'bytes', hex: 'deadbeef', length: 4 },
    { ...transfer, extensions: 1 },
    { ...transfer, messages: transfer.messages.map((each) => ({ ...each, understood: false })) },
  ] as const) {
    const shown = [transferCreated({ words }), endSeen, settled] as const
    expect(after(approval, sending, [...shown, approved])[0].step).toBe('asking')
    expect(view(sending, shown).text).toContain('I trust this page')
    const accepted = [...shown, { type: 'riskAnswered', accepted: true }, approved] as const
    expect(after(approval, sending, accepted)[0].step).toBe('approving')
  }
})

test('2.8 a fee far above the network’s price is approved only after a second confirmation', () => {
  const words = { ...transfer, fee: '906 hash', usualFee: '0.381 hash' }
  const shown = [transferCreated({ words }), endSeen, settled] as const
  expect(after(approval, sending, [...shown, approved])[0].step).toBe('asking')
  expect(view(sending, shown).text).toContain('I agree to pay a network fee of 906 hash.')
  const risk = [...shown, { type: 'riskAnswered', accepted: true }, approved] as const
  expect(after(approval, sending, risk)[0].step).toBe('asking')
  const accepted = [...shown, { type: 'feeAnswered', accepted: true }, approved] as const
  expect(after(approval, sending, accepted)[0].step).toBe('approving')
})

test('7.4 if a proof is required it comes before the approval, and it approves nothing by itself', () => {
  const shown = [transferCreated({ proof: 'new-recipient' }), endSeen, settled] as const
  expect(view(sending, shown).text).toContain('You have not sent to this recipient before')
  const proving = [...shown, approved] as const
  expect(after(approval, sending, proving)).toMatchObject([{ step: 'proving' }])
  expect(view(sending, proving).text).toContain('Prove it here')
  const proven = [...proving, { type: 'proven' }] as const
  expect(after(approval, sending, proven)[0]).toMatchObject({ step: 'appearing' })
  expect(after(approval, sending, [...proven, settled, approved])[1]).toEqual({
    type: 'approve',
    approvalId: 'approval',
  })
  expect(
    after(approval, sending, [...proving, { type: 'proofCancelled' }, settled])[0],
  ).toMatchObject({
    step: 'asking',
    details: { proof: 'new-recipient' },
  })
})

test('7.4 a fully decoded vote is not called undecodable', () => {
  const proofOf = (words: Partial<typeof transfer>) =>
    view(sending, [
      transferCreated({ words: { ...transfer, ...words }, proof: 'unclear' }),
      endSeen,
      settled,
    ]).text
  expect(proofOf({})).toContain('This can lead to more than it shows, so confirm first.')
  expect(proofOf({})).not.toContain('decode')
  expect(proofOf({ extensions: 1 })).toContain('We cannot decode everything this does')
})

test('7.4 a proof that the server requires only at approval is requested then', () => {
  const failure = { notices: ['Confirm'], reason: 'approval-unproven' }
  const refusedLate = [
    transferCreated(),
    endSeen,
    settled,
    approved,
    { type: 'refused', failure },
  ] as const
  expect(after(approval, sending, refusedLate)[0].step).toBe('proving')
})

test.each([
  ['Sign in to https://lender.example with this wallet: 0d3c', 'This signs you in.'],
  ['I agree to https://lender.example/terms', undefined],
  ['I agree to https://other.example/terms', 'This text names other.example'],
])('2.8 a text that names a site is shown with the warning it deserves: %s', (text, warning) => {
  const created = {
    type: 'approvalCreated',
    approval: { approvalId: 'approval', words: { kind: 'text', text }, proof: null },
  } as const
  const shown = view(signing, [created, endSeen, settled]).text
  if (warning === undefined) expect(shown).not.toMatch(/This (?:text names|signs you in)/)
  else expect(shown).toContain(warning)
})

test('2.8 a page of unknown origin is called unknown', () => {
  const { text } = view({ ...signing, origin: undefined }, reviewed)
  expect(text).toContain('An unknown page wants you to sign this text.')
  expect(text).toContain('We could not verify which page sent this request.')
})

test('2.8 the number of pending requests is shown', () => {
  expect(view(signing, reviewed, 3).text).toMatch(/^1 of 3 Sign this message/)
  expect(view(signing, reviewed).text).not.toContain('1 of')
})

test('a group whose name may not be shown is titled, listed and offered by its address', () => {
  const address = connecting.choices[1]?.group?.address ?? expect.fail()
  const group = { name: '', address }
  const shown = (prompt: ApprovalPrompt, made: readonly Event[]) => {
    const [state] = after(approval, prompt, made)
    return renderStatic(
      <ApprovalView state={state} send={unexpected} waiting={1} unlock={() => null} />,
    ).text
  }
  const words = { kind: 'switch-group', group } as const
  const switching: ApprovalPrompt = {
    ...signing,
    acting: { ...signing.acting, group },
    request: { ...signing.request, kind: 'switch-group', group: address },
  }
  const text = shown(switching, [
    { type: 'approvalCreated', approval: { approvalId: 'approval', words, proof: null } },
  ])
  expect(text).toContain(`Act for ${shortAddress(address)}?`)
  expect(text).toContain(`Until now ${address}`)
  expect(text).toContain(`From now on ${address}`)
  const choices = connecting.choices.map((choice) => (choice.group ? { ...choice, group } : choice))
  expect(shown({ ...connecting, choices }, [])).toContain(
    `Organizational Accounts ${shortAddress(address)}`,
  )
})
