import { expect, test } from 'vitest'
import { openChain } from './chain.ts'
import { groupsToRead, interleave } from './groups-of-member.ts'
import { listOpenProposals } from './open-proposals.ts'

const AT = Date.parse('2026-05-01T12:00:00Z')
const OWN_GROUP = '1'
const PAGE_SIZE = 100

interface StrangersGroups {
  readonly count: number
  readonly policies?: number
  readonly proposals?: number
  /** Whether their member lists never end. */
  readonly isEndless?: boolean
  /** Whether the node has deleted the votes of their proposals. */
  readonly isPruned?: boolean
}

/** A node on which strangers have added a member of group 1 to their own groups. */
function aNode({
  count,
  policies = 1,
  proposals = 1,
  isEndless = false,
  isPruned = false,
}: StrangersGroups) {
  const ids = [...Array.from({ length: count }, (_, index) => `${index + 2}`).toReversed(), '1']
  const page = (name: string, entries: readonly unknown[], key: string | null) => {
    const from = Number(key ?? 0)
    const next = from + PAGE_SIZE < entries.length ? `${from + PAGE_SIZE}` : null
    return {
      status: 200,
      content: { [name]: entries.slice(from, from + PAGE_SIZE), pagination: { next_key: next } },
    }
  }
  const requests: string[] = []
  const chain = openChain(async (path) => {
    requests.push(path)
    const { pathname, searchParams } = new URL(path, 'http://node')
    const key = searchParams.get('pagination.key')
    const [kind = '', id = ''] = pathname.replace('/cosmos/group/v1/', '').split('/')
    const isOwn = id === OWN_GROUP || id === `policy-${OWN_GROUP}-0` || id === 'own'
    switch (kind) {
      case 'groups_by_member':
        return page(
          'groups',
          ids.map((group) => ({ id: group, admin: `policy-${group}-0`, metadata: '' })),
          key,
        )
      case 'group_policies_by_group':
        return page(
          'group_policies',
          Array.from({ length: isOwn ? 1 : policies }, (_, index) => ({
            address: `policy-${id}-${index}`,
            group_id: id,
            admin: `policy-${id}-0`,
            decision_policy: { threshold: '2' },
          })),
          key,
        )
      case 'group_members': {
        const member = { member: { address: 'ana', weight: '1', metadata: '' } }
        if (isOwn || !isEndless) return page('members', [member, member], key)
        return { status: 200, content: { members: [member], pagination: { next_key: 'more' } } }
      }
      case 'proposals_by_group_policy':
        return page(
          'proposals',
          Array.from({ length: isOwn ? 1 : proposals }, (_, index) => ({
            id: isOwn ? 'own' : `${id}-${index}`,
            group_policy_address: id,
            proposers: ['ben'],
            submit_time: new Date(AT).toISOString(),
            voting_period_end: new Date(AT + 1000).toISOString(),
            status: 'PROPOSAL_STATUS_SUBMITTED',
            executor_result: 'PROPOSAL_EXECUTOR_RESULT_NOT_RUN',
            messages: [],
          })),
          key,
        )
      case 'votes_by_proposal':
        return isPruned && !isOwn
          ? { status: 404, content: { code: 5, message: 'not found' } }
          : page('votes', [], key)
      default: {
        const [none, one] = ['0', '1']
        const tally = {
          yes_count: one,
          no_count: none,
          abstain_count: none,
          no_with_veto_count: none,
        }
        return { status: 200, content: { tally } }
      }
    }
  })
  return { chain, requests }
}

test.each<[string, StrangersGroups]>([
  ['with endless members', { count: 1, isEndless: true }],
  ['with proposals that the node deletes meanwhile', { count: 1, isPruned: true }],
  ['with a hundred policies of a hundred proposals', { count: 3, policies: 100, proposals: 100 }],
  ['in great numbers', { count: 300 }],
])('2.8 groups of strangers hide no proposal of the user’s own group: %s', async (_, strangers) => {
  const { chain, requests } = aNode(strangers)
  const open = await listOpenProposals(chain, 'ana', AT)
  expect(open.map(({ id }) => id)).toContain('own')
  // A server allows one network six hundred requests a minute.
  expect(requests.length).toBeLessThan(400)
})

test('2.8 while the node does not respond, the list fails instead of being empty', async () => {
  const { chain } = aNode({ count: 3 })
  const broken = {
    ...chain,
    policiesOfGroup: () => openChain(undefined).policiesOfGroup('1'),
  }
  await expect(listOpenProposals(broken, 'ana', AT)).rejects.toMatchObject({
    code: 'chain-not-available',
  })
})

test('2.8 the votes of hundreds of members are all read', async () => {
  const votes = Array.from({ length: 350 }, (_, index) => ({ voter: `v${index}`, option: 'YES' }))
  const chain = openChain(async (path) => {
    const from = Number(new URL(path, 'http://node').searchParams.get('pagination.key') ?? 0)
    const next_key = from + PAGE_SIZE < votes.length ? `${from + PAGE_SIZE}` : null
    const content = { votes: votes.slice(from, from + PAGE_SIZE), pagination: { next_key } }
    return { status: 200, content }
  })
  expect(await chain.votesOfProposal('7')).toHaveLength(350)
})

test('of many groups the newest and the oldest are read', () => {
  const groups = Array.from({ length: 120 }, (_, index) => index)
  const read = groupsToRead(groups)
  expect([read.length, read[0], read[24], read[25], read.at(-1)]).toEqual([50, 0, 24, 95, 119])
  expect(groupsToRead(groups.slice(0, 50))).toEqual(groups.slice(0, 50))
})

test('lists are interleaved', () => {
  expect(interleave([['a', 'b', 'c'], ['d'], [], ['e', 'f']], 5)).toEqual(['a', 'd', 'e', 'b', 'f'])
})
