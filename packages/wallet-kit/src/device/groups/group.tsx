import {
  leaveMessage,
  updateMembersMessage,
  updateThresholdMessage,
} from '@portico/chain-client/group-messages'
import { addressPrefix, isSameAddress } from '@portico/rules/bech32'
import type { FieldError } from '@portico/rules/field-errors'
import { memberAddressError } from '@portico/rules/organization-members'
import { shortAddress } from '@portico/rules/short-address'
import { focusHere, useForm } from '@portico/shell/form'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { SelectField } from '@portico/ui/select-field'
import { TextField } from '@portico/ui/text-field'
import { ownNames } from '@portico/wallet-connect/own-names'
import { useId, useState } from 'react'
import { Fact, Facts } from '../../facts.tsx'
import type { WalletAccount } from '../../key-keeper.ts'
import { Screen } from '../../screen.tsx'
import { UntrustedText } from '../../untrusted-text.tsx'
import type { GroupMember, MemberGroup } from './group-reader.ts'
import styles from './groups.module.css'
import type { OwnRequest } from './own-request.tsx'

type Change =
  | { readonly kind: 'add' }
  | { readonly kind: 'remove'; readonly member: GroupMember }
  | { readonly kind: 'threshold' }

/** A group with its members. Its members change it by proposals. */
export function GroupDetails({
  group,
  accounts,
  onBack,
  onRequest,
}: {
  group: MemberGroup
  accounts: readonly WalletAccount[]
  onBack: () => void
  onRequest: (request: OwnRequest) => void
}) {
  const [change, setChange] = useState<Change>()
  const [isLeaving, setLeaving] = useState(false)
  const nameOf = ownNames(accounts)
  const { id, members, name, policyAddress, threshold, isSelfAdministered } = group
  const account = accounts.find(({ address }) => members.some((each) => each.address === address))
  const canChange = isSelfAdministered && account !== undefined && threshold !== undefined

  const propose = (messages: readonly string[], done: string) => {
    if (account === undefined) return
    onRequest({
      acting: {
        account: { name: account.name, address: account.address },
        group: { name: name ?? '', address: policyAddress },
      },
      request: {
        kind: 'send',
        address: account.address,
        group: policyAddress,
        messages: [...messages],
      },
      done,
    })
  }
  if (change !== undefined && canChange) {
    const props = { group, threshold, onBack: () => setChange(undefined), onPropose: propose }
    switch (change.kind) {
      case 'add':
        return <AddMember {...props} />
      case 'remove':
        return <RemoveMember {...props} member={change.member} name={shownName(change.member)} />
      case 'threshold':
        return <ChangeThreshold {...props} />
    }
  }

  if (isLeaving && account !== undefined) {
    return (
      <LeaveGroup
        group={group}
        account={account}
        onBack={() => setLeaving(false)}
        onLeave={() =>
          onRequest({
            acting: { account: { name: account.name, address: account.address }, group: null },
            request: {
              kind: 'send',
              address: account.address,
              messages: [leaveMessage({ groupId: id, address: account.address })],
            },
            done: 'You left the group',
          })
        }
      />
    )
  }

  function shownName({ address, name: inGroup }: GroupMember): string {
    return nameOf(address) ?? inGroup ?? shortAddress(address)
  }

  return (
    <Screen
      title={name ?? 'Group'}
      actions={
        <Button kind="secondary" onClick={onBack}>
          Back
        </Button>
      }
    >
      <Facts>
        <Fact label="Address" address={policyAddress} isShort />
        <Fact label="Decides">
          {threshold === undefined
            ? 'by rules that this wallet does not support'
            : decidesText(threshold, group)}
        </Fact>
      </Facts>
      <section aria-label="Members" className={styles.section}>
        <h2 className={styles.heading}>Members</h2>
        <ul className={styles.members}>
          {members.map((member) => (
            <li key={member.address} className={styles.member}>
              <span>
                <UntrustedText>{shownName(member)}</UntrustedText>
                {nameOf(member.address) !== undefined && ' (you)'}
                {member.weight !== 1 && `, weight ${member.weight}`}
                {shownName(member) !== shortAddress(member.address) && (
                  <>
                    <br />
                    <span className={styles.muted} title={member.address}>
                      {shortAddress(member.address)}
                    </span>
                  </>
                )}
              </span>
              {canChange && members.length > 1 && (
                <LinkButton
                  aria-label={`Remove ${shownName(member)}`}
                  onClick={() => setChange({ kind: 'remove', member })}
                >
                  Remove
                </LinkButton>
              )}
            </li>
          ))}
        </ul>
      </section>
      {canChange ? (
        <p className={styles.links}>
          <LinkButton onClick={() => setChange({ kind: 'add' })}>Add a member</LinkButton>
          {members.length > 1 && (
            <LinkButton onClick={() => setChange({ kind: 'threshold' })}>
              Change how many must agree
            </LinkButton>
          )}
        </p>
      ) : (
        <p className={styles.muted}>
          {isSelfAdministered
            ? 'This wallet cannot change this group.'
            : 'Only the administrator of this group can change it.'}
        </p>
      )}
      {account !== undefined && (
        <p>
          <LinkButton onClick={() => setLeaving(true)}>Leave the group</LinkButton>
        </p>
      )}
    </Screen>
  )
}

/** Anyone can add an account to a group; its owner can leave without the others. */
function LeaveGroup({
  group,
  account: { name, address },
  onBack,
  onLeave,
}: {
  group: MemberGroup
  account: WalletAccount
  onBack: () => void
  onLeave: () => void
}) {
  return (
    <Screen
      title="Leave this group?"
      actions={
        <>
          <Button kind="secondary" onClick={onBack}>
            Back
          </Button>
          <Button kind="danger" onClick={onLeave}>
            Leave
          </Button>
        </>
      }
    >
      <Facts>
        <Fact
          label="Group"
          {...(group.name === undefined ? {} : { name: group.name })}
          address={group.policyAddress}
          isShort
        />
        <Fact label="Leaving as" name={name} address={address} isShort />
      </Facts>
      <p>
        This account can no longer act for the group or vote on what it does. Only the group can add
        it again.
      </p>
      {group.members.length === 1 && (
        <Alert tone="warn">
          <p>
            You are its only member. What the group owns stays there for good, because no one can
            act for it any more. Send it to another account first.
          </p>
        </Alert>
      )}
    </Screen>
  )
}

interface ChangeProps {
  readonly group: MemberGroup
  readonly threshold: number
  readonly onBack: () => void
  readonly onPropose: (messages: readonly string[], done: string) => void
}

function AddMember({ group, threshold, onBack, onPropose }: ChangeProps) {
  const id = useId()
  const { field, submit } = useForm({ address: ({ address }) => memberError(address, group) })
  return (
    <Screen title="Add a member" actions={<ProposeActions id={id} onBack={onBack} />}>
      <Explanation threshold={threshold} />
      <form
        id={id}
        method="post"
        noValidate
        onSubmit={submit(({ address }) =>
          onPropose(
            // The chain keeps an address as it was written, and wallets compare it with their own.
            [membersMessage(group, { address: address.trim().toLowerCase(), weight: '1' })],
            'Added',
          ),
        )}
      >
        <TextField
          {...field('address')}
          ref={focusHere}
          label="Address of the new member"
          hint="The new member can vote on everything that the group does."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </form>
    </Screen>
  )
}

function RemoveMember({
  group,
  threshold,
  member,
  name,
  onBack,
  onPropose,
}: ChangeProps & { member: GroupMember; name: string }) {
  const left = total(group) - member.weight
  const lowered = threshold > left ? left : undefined
  return (
    <Screen
      title={`Remove ${name}?`}
      actions={
        <>
          <Button kind="secondary" onClick={onBack}>
            Back
          </Button>
          <Button
            kind="danger"
            onClick={() =>
              onPropose(
                [
                  ...(lowered === undefined ? [] : [thresholdMessage(group, lowered)]),
                  membersMessage(group, { address: member.address, weight: '0' }),
                ],
                'Removed',
              )
            }
          >
            {threshold > 1 ? 'Propose' : 'Remove'}
          </Button>
        </>
      }
    >
      <Facts>
        <Fact label="Member" name={name} address={member.address} />
      </Facts>
      <p>This account can no longer act for the group or vote on what it does.</p>
      {lowered !== undefined && (
        <Alert tone="warn">
          <p>
            The group would have fewer members than must agree, so {lowered} must agree from then
            on. Other open proposals of the group end.
          </p>
        </Alert>
      )}
      <Explanation threshold={threshold} />
    </Screen>
  )
}

function ChangeThreshold({ group, threshold, onBack, onPropose }: ChangeProps) {
  const id = useId()
  const { field, submit } = useForm({
    threshold: ({ threshold: next }): FieldError =>
      Number(next) === threshold ? 'The group already decides this way.' : undefined,
  })
  const count = total(group)
  return (
    <Screen title="How many must agree?" actions={<ProposeActions id={id} onBack={onBack} />}>
      <Explanation threshold={threshold} />
      <form
        id={id}
        method="post"
        noValidate
        onSubmit={submit(({ threshold: next }) =>
          onPropose([thresholdMessage(group, Number(next))], 'Changed'),
        )}
      >
        <SelectField
          {...field('threshold')}
          label="Members who must agree"
          hint="All open proposals of the group end with this change."
          defaultValue={threshold}
        >
          {Array.from({ length: count }, (_, index) => (
            <option key={index} value={index + 1}>
              {index + 1} of {count}
            </option>
          ))}
        </SelectField>
      </form>
    </Screen>
  )
}

function ProposeActions({ id, onBack }: { id: string; onBack: () => void }) {
  return (
    <>
      <Button kind="secondary" onClick={onBack}>
        Back
      </Button>
      <Button type="submit" form={id}>
        Continue
      </Button>
    </>
  )
}

function Explanation({ threshold }: { threshold: number }) {
  return (
    <p>
      {threshold > 1
        ? `This is a proposal: it happens as soon as ${threshold} members agree. Yours is the first vote.`
        : 'This happens at once, because your vote is enough.'}
    </p>
  )
}

/** A threshold above the total weight, which is left when members leave, needs every member. */
function decidesText(threshold: number, group: MemberGroup): string {
  const { members } = group
  if (threshold > total(group)) return `when all ${members.length} agree`
  return `when ${threshold} of ${members.length} agree`
}

const total = ({ members }: MemberGroup) => members.reduce((sum, { weight }) => sum + weight, 0)

const membersMessage = (
  { id, policyAddress }: MemberGroup,
  member: { readonly address: string; readonly weight: string },
) => updateMembersMessage({ groupId: id, admin: policyAddress, members: [member] })

const thresholdMessage = ({ policyAddress }: MemberGroup, threshold: number) =>
  updateThresholdMessage({ policyAddress, threshold })

function memberError(text: string, { members, policyAddress }: MemberGroup): FieldError {
  const address = text.trim()
  if (address === '') return "Please enter the new member's address."
  if (members.some((member) => isSameAddress(member.address, address))) {
    return 'This account is already a member.'
  }
  if (isSameAddress(address, policyAddress)) return 'This is the address of the group itself.'
  return memberAddressError(address, { others: [], prefix: addressPrefix(policyAddress) })
}
