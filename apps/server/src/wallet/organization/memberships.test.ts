import { Refusal } from '@portico/contracts/errors'
import { expect, test } from 'vitest'
import { openMemberships } from './memberships.ts'

type Deps = Parameters<typeof openMemberships>[0]

const ACCOUNT = 'tp1larch'
const MEMBERS = Array.from({ length: 2000 }, (_, index) => `tp1member${index}`)

/** An account of a group with two thousand members, and the effects of comparing them. */
function aGroup(owned: ReadonlyMap<string, string> = new Map()) {
  const invited: string[] = []
  const node = { isDown: false, requests: 0, now: 0 }
  let queries = 0
  const stores = {
    atomically: (work: (transaction: unknown) => unknown) => work(stores),
    accounts: {
      findGroupVersion: async () => 1,
      updateGroupVersion: async () => true,
      listGroupWallets: async () => [],
      listByIdentity: async () => [],
      countAdded: async () => 0,
    },
    organizationInvitations: { listByAccount: async () => [] },
    wallets: new Proxy(
      {
        findOwner: async (address: string) => owned.get(address),
        find: async () => ({ convertedAt: null }),
        listOwned: async (addresses: readonly string[]) =>
          addresses.flatMap((walletAddress) => {
            const owner = owned.get(walletAddress)
            return owner === undefined ? [] : [{ walletAddress, owner }]
          }),
      },
      {
        get(target, name) {
          queries += 1
          return Reflect.get(target, name) as unknown
        },
      },
    ),
    identities: { findById: async () => undefined, findForUpdate: async () => undefined },
  }
  const memberships = openMemberships({
    stores: stores as unknown as Deps['stores'], // Only the stores that a comparison uses.
    inviteMembers: async (_, { members }) => {
      invited.push(...members.map(({ walletAddress }) => walletAddress))
    },
    chain: () => ({
      policy: async () => {
        node.requests += 1
        if (node.isDown) throw new Refusal('chain-not-available')
        return { address: ACCOUNT, group_id: '7', admin: ACCOUNT, decision_policy: {} }
      },
      group: async () => ({ id: '7', admin: ACCOUNT, metadata: '', version: 2 }),
      groupsOfMember: async () => [],
      membersOfGroup: async () =>
        MEMBERS.map((address) => ({ address, weight: '1', metadata: '' })),
    }),
    clock: () => node.now,
    log: {
      error(details: unknown) {
        throw details
      },
    },
  })
  return { memberships, invited, node, queries: () => queries }
}

test('6 among thousands of members, those with an identity are invited without a query each', async () => {
  const owned = new Map([
    ['tp1member3', 'ana'],
    ['tp1member1999', 'ben'],
    ['tp1stranger', 'cleo'],
  ])
  const { memberships, invited, queries } = aGroup(owned)
  await memberships.refresh(ACCOUNT)
  expect(invited).toEqual(['tp1member3', 'tp1member1999'])
  expect(queries()).toBeLessThan(10)
})

test('6 a call that needs current members asks the chain each time, and learns that it did not respond', async () => {
  const { memberships, node } = aGroup()
  expect(await memberships.refreshNow(ACCOUNT)).toBeUndefined()
  expect(await memberships.refreshNow(ACCOUNT)).toBeUndefined()
  expect(node.requests).toBe(2)
  node.isDown = true
  for (const _ of [1, 2]) {
    expect(await memberships.refreshNow(ACCOUNT)).toMatchObject({ code: 'chain-not-available' })
  }
  // Calls do not all wait for a chain that does not respond.
  expect(node.requests).toBe(3)
  node.isDown = false
  node.now += 5000
  expect(await memberships.refreshNow(ACCOUNT)).toBeUndefined()
})
