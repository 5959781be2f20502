import { fakeClient, refusal } from '@portico/client/testing'
import { after, walk } from '@portico/flow/testing'
import { UNEXPECTED } from '@portico/shell/failure'
import { memoryStorage, neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { memoryJwt, renderStatic } from '../../testing.tsx'
import { ALONE, createOrganization, type Event, type State } from './create-organization.flow.ts'
import { account, events, inputs, membership, organization } from './create-organization.samples.ts'
import {
  type CreateOrganizationDeps,
  createOrganizationServices,
} from './create-organization.services.ts'
import { CreateOrganizationView } from './create-organization.view.tsx'

const named: Event = {
  type: 'nameSubmitted',
  name: organization.name,
  membership: ALONE,
}
const begun: Event = { type: 'begun', organization }
const approved: Event = { type: 'approved' }
const created: Event = { type: 'created', account }

test('4.8 an organization is named once, approved in its wallet, and created', () => {
  expect(after(createOrganization, null, [named])).toEqual([
    { step: 'naming', name: organization.name, membership: ALONE, busy: true },
    { type: 'begin', name: organization.name, membership: ALONE },
  ])
  expect(after(createOrganization, null, [named, named]).slice(1)).toEqual([])
  expect(after(createOrganization, null, [named, begun])).toEqual([
    { step: 'approving', organization },
    { type: 'requestApproval', organization },
  ])
  expect(after(createOrganization, null, [named, begun, approved])).toEqual([
    { step: 'confirming', organization },
    { type: 'complete', organizationId: organization.id },
  ])
  expect(after(createOrganization, null, [named, begun, approved, created])).toEqual([
    { step: 'created', account, membership: ALONE, acting: false },
  ])
})

test('4.8 a group already created on the chain by an earlier attempt is not created again', () => {
  expect(after(createOrganization, null, [named, created])).toEqual([
    { step: 'created', account, membership: ALONE, acting: false },
  ])
  // A retry goes through the server, which knows whether the group exists.
  expect(after(createOrganization, null, [named, begun, { type: 'retried' }]).slice(1)).toEqual([
    { type: 'begin', name: organization.name, membership: ALONE },
  ])
})

test('4.8 then the user acts for it or continues, through the gatekeeper', () => {
  const creation = [named, begun, approved, created]
  const leaving = (connecting: boolean) => [
    { step: 'leaving', account, membership: ALONE },
    { type: 'runGatekeeper', connecting },
  ]
  expect(after(createOrganization, null, [...creation, { type: 'continued' }])).toEqual(
    leaving(false),
  )
  expect(after(createOrganization, null, [...creation, { type: 'actingChosen' }])).toEqual([
    { step: 'created', account, membership: ALONE, acting: true },
    { type: 'actFor', account },
  ])
  const acting: Event[] = [...creation, { type: 'actingChosen' }, { type: 'acting' }]
  expect(after(createOrganization, null, acting)).toEqual(leaving(true))
})

test('4.8 random walk: the wallet is asked to approve only a pending organization, and the user leaves only with an account', () => {
  walk(
    createOrganization,
    { inputs, events },
    {
      steps: 800,
      invariant(_, commands, before) {
        for (const { type } of commands) {
          if (type === 'requestApproval') expect(before).toMatchObject({ step: 'naming' })
          if (type === 'runGatekeeper') expect(before).toMatchObject({ step: 'created' })
          if (type === 'actFor') expect(before).toMatchObject({ acting: false })
        }
      },
    },
  )
})

/** The services with a fake client and wallet; `actions` are the wallet calls and navigations in order. */
function world(
  answers: Parameters<typeof fakeClient>[0],
  wallet: { valid: boolean; error?: string } = { valid: true },
) {
  const { client, calls } = fakeClient(answers)
  const actions: unknown[] = []
  const respond = (request: unknown) => {
    actions.push(request)
    return Promise.resolve(wallet)
  }
  const jwt = memoryJwt()
  const storage = memoryStorage()
  // Only the members that these services use.
  const connection = {
    sendMessage: respond,
    removePendingMethod: respond,
  } as unknown as CreateOrganizationDeps['connection']
  const services = createOrganizationServices({
    client,
    connection,
    jwt,
    storage,
    walletAddress: 'tp1me',
    redirectUrl: '/dashboard',
    closePanel: () => actions.push('panel closed'),
    gatekeeper: ({ redirectUrl }) => Promise.resolve({ path: redirectUrl }),
    identityTokenUpdated: () => undefined,
    navigate: (to) => actions.push(to),
    wait: () => Promise.resolve(),
  })
  return { services, calls, actions, jwt, storage }
}

test('5 a rejection, and a nonzero code with its raw log, are shown in plain words', async () => {
  const rawLog = 'spendable balance 0nhash is smaller than 5nhash: insufficient funds'
  for (const [error, words] of [
    ['Error: Sign request rejected by user', 'Sign request rejected by user'],
    [rawLog, 'The account does not have enough funds for the amount and the fee.'],
    ['Call us', 'Your wallet says: ‘Call us’'],
  ] as const) {
    const { services } = world({}, { valid: false, error })
    expect(
      await services.requestApproval({ type: 'requestApproval', organization }, neverAborted),
    ).toEqual({
      type: 'rejected',
      failure: { notices: [words] },
    })
  }
})

test('protocol 9.4: an abandoned request is withdrawn, an approved one is not', async () => {
  const { services, actions } = world({})
  const left = new AbortController()
  const approvalResult = services.requestApproval(
    { type: 'requestApproval', organization },
    left.signal,
  )
  left.abort()
  await approvalResult
  expect(actions.slice(1)).toEqual([organization.id, 'panel closed', 'panel closed'])
  const again = world({})
  const later = new AbortController()
  await again.services.requestApproval({ type: 'requestApproval', organization }, later.signal)
  later.abort()
  expect(again.actions.slice(1)).toEqual(['panel closed'])
})

test('a group that is not in a block yet is polled, and finally reported as not confirmed', async () => {
  const { services, calls } = world({ completeOrganization: refusal('organization-pending') })
  const result = await services.complete(
    { type: 'complete', organizationId: organization.id },
    neverAborted,
  )
  expect(result).toMatchObject({ type: 'refused', failure: { reason: 'organization-pending' } })
  expect(calls).toHaveLength(10)
})

test('6 when acting for it, the token names the group, and its wallet is connected as the group', async () => {
  const { services, calls, actions, jwt, storage } = world({ selectAccount: { jwt: 'new' } })
  expect(await services.actFor({ type: 'actFor', account }, neverAborted)).toEqual({
    type: 'acting',
  })
  await services.runGatekeeper({ type: 'runGatekeeper', connecting: true }, neverAborted)
  await services.runGatekeeper({ type: 'runGatekeeper', connecting: false }, neverAborted)
  expect(actions).toEqual(['/auth/wallet?section=Connect&redirectUrl=%2Fdashboard', '/dashboard'])
  expect(calls).toEqual([
    {
      name: 'selectAccount',
      body: { walletAddress: 'tp1me', groupPolicyAddress: account.address },
    },
  ])
  expect(jwt.read()).toBe('new')
  expect(storage.read('ownerWallet')).toBe(account.address)
})

test('8 a server failure is shown on the name field, a wallet failure is not', () => {
  const nothing = () => undefined
  const view = (state: State) =>
    renderStatic(
      <CreateOrganizationView
        state={state}
        send={nothing}
        onBack={nothing}
        walletAddress="tp1me"
        walletWindow="Figure Wallet"
        supportPhone="8005550142"
      />,
    ).text
  const naming = {
    step: 'naming',
    name: 'Willow',
    membership: ALONE,
    busy: false,
    failure: UNEXPECTED,
  } as const
  expect(view({ ...naming, by: 'server' })).toContain('Error submitting New Account')
  expect(view({ ...naming, by: 'wallet' })).toContain('Something went wrong on our side.')
  expect(view({ ...naming, by: 'wallet' })).not.toContain('Error submitting New Account')
  expect(view({ step: 'approving', organization })).toContain('Awaiting signature in Figure Wallet')
  expect(view({ step: 'created', account, membership: ALONE, acting: false })).toContain(
    'tp1af...rjkkf',
  )
})

test('6 the members and how many must agree are sent with the name, and kept when it is changed', async () => {
  const { services, calls } = world({
    beginOrganization: { organizationId: organization.id, message: 'CgA=' },
  })
  const { name } = organization
  const answer = await services.begin({ type: 'begin', name, membership }, neverAborted)
  const { members, threshold } = membership
  expect(calls).toEqual([
    { name: 'beginOrganization', body: { walletAddress: 'tp1me', name, members, threshold } },
  ])
  const pending: Event = { type: 'begun', organization: { ...organization, membership } }
  expect(answer).toEqual(pending)
  const named: Event = { type: 'nameSubmitted', name, membership }
  expect(after(createOrganization, null, [named, pending, { type: 'back' }])).toEqual([
    { step: 'naming', name, membership, busy: false },
  ])
  const [state] = after(createOrganization, null, [named, pending, approved, created])
  expect(
    renderStatic(
      <CreateOrganizationView
        state={state}
        send={() => undefined}
        onBack={() => undefined}
        walletAddress="tp1me"
        walletWindow="Figure Wallet"
        supportPhone="8005550142"
      />,
    ).text,
  ).toContain('2 of its 3 members must approve each action.')
})
