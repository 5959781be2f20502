import { sendMessage } from '@portico/chain-client/messages'
import type { Proposal } from '@portico/chain-client/proposals'
import { bytesOfBase64 } from '@portico/keys/bytes'
import type { GroupReader, MemberGroup } from './group-reader.ts'

/** The account of this wallet. */
export const ANA = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const BEN = 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'
const CLEO = 'tp1q8q0z0w0j7a2zq5n2v3e5l3h9u8q0z0w0j7a2'
const POLICY = 'tp1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzserjkkf'

const HOUR_MS = 3_600_000

export const GROUP: MemberGroup = {
  id: '7',
  policyAddress: POLICY,
  name: 'Larch Partners',
  members: [
    { address: ANA, weight: 1, name: undefined },
    { address: BEN, weight: 1, name: 'Ben' },
    { address: CLEO, weight: 1, name: undefined },
  ],
  threshold: 2,
  isSelfAdministered: true,
}

/** The parts of a packed message: two fields, each with its length before it. */
export function unpacked(base64: string) {
  const bytes = bytesOfBase64(base64) ?? new Uint8Array()
  const length = bytes[1] ?? 0
  const typeUrl = new TextDecoder().decode(bytes.subarray(2, 2 + length))
  const rest = bytes.subarray(2 + length + 1)
  // Lengths over 127 take a second byte.
  return { typeUrl, value: rest.subarray((rest[0] ?? 0) > 127 ? 2 : 1), json: '' }
}

/** A payment of the group that Ben has proposed, and that waits for the vote of this wallet. */
export function aProposal(at: number, changes: Partial<Proposal> = {}): Proposal {
  return {
    id: '12',
    groupId: GROUP.id,
    groupName: 'Larch Partners',
    policyAddress: POLICY,
    proposers: [BEN],
    title: '',
    summary: '',
    messages: [
      unpacked(sendMessage({ from: POLICY, to: CLEO, amount: '25000000000', denom: 'nhash' })),
    ],
    submittedAt: at - HOUR_MS,
    votingEndsAt: at + 47 * HOUR_MS,
    members: [
      { address: ANA, weight: '1', name: undefined, vote: undefined },
      { address: BEN, weight: '1', name: 'Ben', vote: 'yes' },
      { address: CLEO, weight: '1', name: undefined, vote: undefined },
    ],
    tally: { yes: '1', no: '0', abstain: '0', noWithVeto: '0' },
    required: { threshold: '2' },
    status: 'open',
    log: undefined,
    ...changes,
  }
}

/** A proposal with a message that the wallet cannot read. */
export const unreadable = (at: number): Proposal =>
  aProposal(at, {
    id: '13',
    messages: [
      {
        typeUrl: '/example.lending.v1.MsgPledge',
        value: undefined,
        json: '{"@type":"/example.lending.v1.MsgPledge","loan":"4711"}',
      },
    ],
  })

/** The chain with these proposals. */
export function fakeGroups(
  proposals: readonly Proposal[],
  groups: readonly MemberGroup[] = [GROUP],
): GroupReader {
  return {
    listProposals: async () => proposals.filter(({ status }) => status === 'open'),
    readProposal: async (id) => proposals.find((each) => each.id === id),
    readResult: async () => ({ status: 'executed', log: undefined }),
    listGroups: async () => groups,
  }
}
