import { Refusal } from '@portico/contracts/errors'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { DeviceWallet } from '../device-wallet.tsx'
import { type FakeDevice, fakeDevice } from '../testing.ts'
import type { GroupReader } from './group-reader.ts'
import { ANA, aProposal, fakeGroups, GROUP, unreadable } from './testing.ts'

const DEVICE: FakeDevice = {
  vault: { passphrase: 'larch window seven river', words: '' },
  accounts: [
    {
      name: 'Everyday',
      address: ANA,
      publicKey: '',
      verified: true,
      groups: [{ name: 'Larch Partners', address: GROUP.policyAddress }],
    },
  ],
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const heading = (name: string) => page.getByRole('heading', { name })

async function open(groups: GroupReader, refusal?: Refusal, txResponse?: Record<string, unknown>) {
  await page.viewport(360, 600)
  const fake = fakeDevice(DEVICE)
  const requested: unknown[] = []
  const keeper = {
    ...fake.environment.keeper,
    async requestApproval(...args: Parameters<typeof fake.environment.keeper.requestApproval>) {
      requested.push(args)
      if (refusal !== undefined) throw refusal
      return fake.environment.keeper.requestApproval(...args)
    },
    async approve(approvalId: string) {
      const result = await fake.environment.keeper.approve(approvalId)
      return txResponse === undefined ? result : { kind: 'send' as const, txResponse }
    },
  }
  await render(<DeviceWallet environment={{ ...fake.environment, keeper, groups }} />)
  await page.getByRole('button', { name: /^Groups/ }).click()
  return requested
}

test('2.8 what waits for a vote is counted and listed with its effect, proposer and votes', async () => {
  await open(fakeGroups([aProposal(Date.now())]))
  await expect
    .element(page.getByRole('button', { name: 'Groups, 1 waiting for your vote' }))
    .toBeVisible()
  const list = page.getByRole('region', { name: 'Waiting for your vote' })
  const row = list.getByRole('button')
  await expect
    .poll(() => row.element().textContent)
    .toMatch(
      /^Send 25 hash to tp1q8.+Larch Partners, proposed by tp13d.+1 of 2 votes · 2 days left$/,
    )
})

test('2.8 a vote goes through the same approval as the request of a page', async () => {
  const requested = await open(fakeGroups([aProposal(Date.now())]))
  await page.getByRole('button', { name: /^Send 25 hash/ }).click()
  await expect.element(page.getByText('Ben', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Voted yes')).toBeVisible()
  await button('Vote yes').click()
  await expect.element(page.getByText('This wallet', { exact: true })).toBeVisible()
  expect(requested).toMatchObject([
    [
      { kind: 'send', address: ANA, messages: [expect.any(String)] },
      { promptId: expect.stringMatching(/^wallet:/), origin: 'This wallet' },
    ],
  ])
  await button('Send').click()
  await expect.element(heading('You voted yes')).toBeVisible()
  await button('Done').click()
  await expect.element(button('Vote yes')).toBeVisible()
})

test('2.8 what the wallet cannot read is shown with its type, and a yes needs a second confirmation', async () => {
  await open(fakeGroups([unreadable(Date.now())]))
  await page.getByRole('button', { name: /message this wallet does not recognize/ }).click()
  await expect.element(page.getByText(/cannot read all of this proposal/)).toBeVisible()
  await page.getByText('Show the full addresses and data').click()
  await expect
    .element(page.getByText('/example.lending.v1.MsgPledge', { exact: true }))
    .toBeVisible()
  await expect.element(button('Vote yes')).toBeDisabled()
  await expect.element(button('Vote no')).toBeEnabled()
  await page.getByRole('checkbox').click()
  await expect.element(button('Vote yes')).toBeEnabled()
})

test.for([
  ['executed', 'Carried out.'],
  ['expired', 'It expired before enough members voted for it.'],
  ['aborted', 'It ended because the group changed how it decides.'],
] as const)(
  '2.8 a proposal that is %s meanwhile shows its status and offers no vote',
  async ([status, text]) => {
    const proposal = aProposal(Date.now())
    await open({
      ...fakeGroups([proposal]),
      readProposal: async () => (status === 'executed' ? undefined : { ...proposal, status }),
    })
    await page.getByRole('button', { name: /^Send 25 hash/ }).click()
    await expect.element(page.getByText(text)).toBeVisible()
    await expect.element(button('Vote yes')).not.toBeInTheDocument()
    await button('Back').click()
    await expect.element(heading('Groups')).toBeVisible()
  },
)

test.for([
  ['already-voted', 'This account has already voted on this proposal.'],
  ['not-a-member', 'This account is no longer a member of the group.'],
  ['voting-ended', 'Voting on this proposal has ended.'],
] as const)(
  '2.8 a vote that the chain refuses as %s says why and leads back',
  async ([code, text]) => {
    await open(fakeGroups([aProposal(Date.now())]), new Refusal(code))
    await page.getByRole('button', { name: /^Send 25 hash/ }).click()
    await button('Vote no').click()
    await expect.element(page.getByText(text)).toBeVisible()
    await button('Reject').click()
    await expect.element(button('Vote no')).toBeVisible()
  },
)

test('2.8 an unreachable chain is reported with another attempt', async () => {
  let isDown = true
  const groups = fakeGroups([aProposal(Date.now())])
  await open({
    ...groups,
    listProposals: async (accounts) => {
      if (isDown) throw new Refusal('chain-not-available')
      return groups.listProposals(accounts)
    },
  })
  await expect.element(button('Try again')).toBeVisible()
  isDown = false
  await button('Try again').click()
  await expect.element(page.getByRole('button', { name: /^Send 25 hash/ })).toBeVisible()
})

test('2.8 without a group the screen explains what will appear there', async () => {
  await open(fakeGroups([], []))
  await expect.element(page.getByText(/None of your accounts is a member of a group/)).toBeVisible()
})

test('2.8 a member is proposed by an address of the network that is not a member yet', async () => {
  const requested = await open(fakeGroups([]))
  await page.getByRole('button', { name: /^Larch Partners/ }).click()
  await button('Add a member').click()
  const field = page.getByLabelText('Address of the new member')
  for (const [address, error] of [
    ['', "Please enter the new member's address."],
    ['tp1nonsense', 'This is not a valid address. Compare it with the one you were given.'],
    [ANA.toUpperCase(), 'This account is already a member.'],
    [GROUP.policyAddress, 'This is the address of the group itself.'],
    [
      'tp1qvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrqvpsjjqnjm',
      /^This is the address of an organization/,
    ],
    [
      'pb1qyqszqgpqyqszqgpqyqszqgpqyqszqgptrrnpd',
      /^(This address belongs to another network|This is not a valid address)/,
    ],
  ] as const) {
    await field.fill(address)
    await button('Continue').click()
    await expect.element(field).toHaveAccessibleDescription(error)
  }
  expect(requested).toEqual([])
  const other = 'tp150rtrmj2f8vl9tem8qpfw36ylw5jg9j2fxyqk0'
  await field.fill(` ${other.toUpperCase()} `)
  await button('Continue').click()
  await expect.element(page.getByText('This wallet', { exact: true })).toBeVisible()
  // As the chain and other wallets compare it.
  const [[{ messages: [message = ''] = [] }]] = requested as [[{ messages?: string[] }]]
  expect(atob(message)).toContain(other)
})

test('2.8 removing a member lowers how many must agree, if too few would be left', async () => {
  const two = { ...GROUP, members: GROUP.members.slice(0, 2) }
  const requested = await open(fakeGroups([], [two]))
  await page.getByRole('button', { name: /^Larch Partners/ }).click()
  await button('Remove Ben').click()
  await expect.element(page.getByText(/1 must agree from then on/)).toBeVisible()
  await button('Propose').click()
  await expect.element(page.getByText('This wallet', { exact: true })).toBeVisible()
  expect(requested).toMatchObject([
    [{ group: GROUP.policyAddress, messages: [expect.any(String), expect.any(String)] }, {}],
  ])
})

test('2.8 a member leaves a group alone, also one that strangers administer; the last one is warned', async () => {
  const foreign = { ...GROUP, members: GROUP.members.slice(0, 1), isSelfAdministered: false }
  const requested = await open(fakeGroups([], [foreign]))
  await page.getByRole('button', { name: /^Larch Partners/ }).click()
  await button('Leave the group').click()
  await expect.element(page.getByText(/You are its only member/)).toBeVisible()
  await button('Leave').click()
  await expect.element(page.getByText('This wallet', { exact: true })).toBeVisible()
  const [[request]] = requested as [[{ group?: string; messages: string[] }]]
  expect(request.group).toBeUndefined()
  expect(atob(request.messages[0] ?? '')).toMatch(/MsgLeaveGroup.*tp1knsx/s)
  await button('Send').click()
  await expect.element(heading('You left the group')).toBeVisible()
})

test('8 if the deciding vote counts but the group cannot pay, the reason and the way on are shown', async () => {
  await open(fakeGroups([aProposal(Date.now())]), undefined, {
    codespace: 'portico',
    code: 1,
    rawLog: 'proposal execution failed on proposal 12, because of error insufficient funds',
  })
  await page.getByRole('button', { name: /^Send 25 hash/ }).click()
  await button('Vote yes').click()
  await button('Send').click()
  await expect.element(heading('It could not be carried out')).toBeVisible()
  await expect.element(page.getByText(/your vote counts/)).toBeVisible()
  await expect
    .element(page.getByText('The group does not have enough funds for this.'))
    .toBeVisible()
  expect(page.getByText(/proposal execution failed/).elements()).toHaveLength(0)
  await button('Done').click()
  await expect.element(button('Vote yes')).toBeVisible()
})

test('8 a vote that the chain refuses in its block says why', async () => {
  await open(fakeGroups([aProposal(Date.now())]), undefined, {
    codespace: 'group',
    code: 9,
    rawLog: 'failed to execute message; message index: 0: voting period has ended already: expired',
  })
  await page.getByRole('button', { name: /^Send 25 hash/ }).click()
  await button('Vote no').click()
  await button('Send').click()
  await expect.element(page.getByText('Voting on this proposal has ended.')).toBeVisible()
})

test('8 a threshold above the total weight of the remaining members needs all of them', async () => {
  const two = { ...GROUP, members: GROUP.members.slice(0, 2), threshold: 3 }
  await open(fakeGroups([], [two]))
  await page.getByRole('button', { name: /^Larch Partners.*2 members, all must agree/ }).click()
  await expect.element(page.getByText('when all 2 agree')).toBeVisible()
})
