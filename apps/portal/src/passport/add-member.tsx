import type { Client } from '@portico/client/client'
import {
  invitePassportMember,
  MEMBER_ROLES,
  type Passport,
  type PassportMember,
  readPassport,
  removePassportMember,
} from '@portico/contracts/passport'
import { emailError } from '@portico/rules/field-errors'
import { PASSPORT_BASE } from '@portico/rules/gatekeeper'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useForm } from '@portico/shell/form'
import { useReturnFocus } from '@portico/shell/return-focus'
import { useCall, useLoad } from '@portico/shell/use-call'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { EmailText } from '@portico/ui/email-text'
import { LinkButton } from '@portico/ui/link-button'
import { SelectField } from '@portico/ui/select-field'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { useToast } from '@portico/ui/toast'
import { VisuallyHidden } from '@portico/ui/visually-hidden'
import { useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { ROLE_LABELS } from '../passport-texts.ts'
import styles from './passport.module.css'

export type AddMemberProps = { passportUuid: string; supportPhone: string }

/** Invites members to the passport of a company or a trust (§4.10). */
export function AddMember({ passportUuid, supportPhone }: AddMemberProps) {
  const { client, reportError } = useEnvironment()
  const { result, failure, retry } = useLoad(
    (signal) => client(readPassport, { query: { passportUuid }, signal }),
    reportError,
  )
  if (failure !== undefined) {
    return (
      <Stack>
        <h1 tabIndex={-1}>Members</h1>
        {failure.reason === 'not-found' ? (
          <p>This passport may belong to another account.</p>
        ) : (
          <FailureAlert failure={failure} supportPhone={supportPhone} />
        )}
        <Button wide onClick={retry}>
          Try again
        </Button>
      </Stack>
    )
  }
  return (
    <Stack gap="sections">
      <h1 tabIndex={-1}>Members</h1>
      {result === undefined && <Skeleton shape="card" label="Loading the members" />}
      {result !== undefined && <Members passport={result} supportPhone={supportPhone} />}
      <AnchorButton kind="secondary" wide href={PASSPORT_BASE}>
        Go to your passport
      </AnchorButton>
    </Stack>
  )
}

function Members({ passport, supportPhone }: { passport: Passport; supportPhone: string }) {
  const { client, reportError } = useEnvironment()
  const showToast = useToast()
  const [members, setMembers] = useState(passport.members)
  const [memberToRemove, setMemberToRemove] = useState<PassportMember>()
  const withdrawal = useCall(reportError)
  const { passportUuid } = passport
  if (passport.passportStructureType === 'INDIVIDUAL') {
    return <p>The passport of an individual has no members. Only you see and change it.</p>
  }
  if (passport.access !== 'owner') {
    return <p>Only owners of this passport invite members.</p>
  }
  const onInvited = (member: PassportMember) => {
    setMembers((before) => [
      ...before.filter(({ memberUuid }) => memberUuid !== member.memberUuid),
      member,
    ])
    showToast({ text: `We mailed an invitation to ${member.email}.`, tone: 'ok' })
  }
  const onRemoved = ({ memberUuid }: PassportMember) => {
    setMemberToRemove(undefined)
    setMembers((before) => before.filter((each) => each.memberUuid !== memberUuid))
  }
  const withdraw = (member: PassportMember) =>
    withdrawal.run(
      (signal) => removeMember(client, { passportUuid, member }, signal),
      () => onRemoved(member),
    )
  return (
    <Stack gap="sections">
      <Stack>
        <FailureAlert failure={withdrawal.failure} supportPhone={supportPhone} />
        {members.length === 0 && (
          <p>Members will be here. They see the answers and help to fill them in.</p>
        )}
        <ul className={styles.members}>
          {members.map((member) => (
            <li key={member.memberUuid}>
              <span>
                <strong dir="auto">{member.name}</strong>
                <br />
                <EmailText>{member.email}</EmailText>
                <br />
                <span className={styles.muted}>
                  {`${ROLE_LABELS[member.role]} · ${member.joinedAt === null ? 'Invited' : 'Member'}`}
                </span>
              </span>
              <LinkButton
                onClick={() =>
                  member.joinedAt === null ? withdraw(member) : setMemberToRemove(member)
                }
              >
                {member.joinedAt === null ? 'Withdraw' : 'Remove'}
                <VisuallyHidden> {member.name}</VisuallyHidden>
              </LinkButton>
            </li>
          ))}
        </ul>
      </Stack>
      <Invitation passportUuid={passportUuid} supportPhone={supportPhone} onInvited={onInvited} />
      {memberToRemove !== undefined && (
        <RemoveDialog
          passportUuid={passportUuid}
          member={memberToRemove}
          supportPhone={supportPhone}
          onClose={() => setMemberToRemove(undefined)}
          onRemoved={() => onRemoved(memberToRemove)}
        />
      )}
    </Stack>
  )
}

function removeMember(
  client: Client,
  { passportUuid, member: { memberUuid } }: { passportUuid: string; member: PassportMember },
  signal: AbortSignal,
) {
  return client(removePassportMember, { body: { passportUuid, memberUuid }, signal })
}

/** A removed member has to accept a new invitation to return, so this asks first. */
function RemoveDialog({
  passportUuid,
  member,
  supportPhone,
  onClose,
  onRemoved,
}: AddMemberProps & { member: PassportMember; onClose: () => void; onRemoved: () => void }) {
  const { client, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  useReturnFocus()
  const remove = () =>
    run((signal) => removeMember(client, { passportUuid, member }, signal), onRemoved)
  return (
    <Dialog open title="Remove a member" onClose={onClose}>
      <Stack>
        <FailureAlert failure={failure} supportPhone={supportPhone} />
        <p>
          <strong dir="auto">{member.name}</strong> will no longer see this passport. The answers
          they filled in stay.
        </p>
        <Stack gap="inside">
          <Button kind="danger" wide busy={pending} busyLabel="Removing…" onClick={remove}>
            Remove
          </Button>
          <Button kind="secondary" wide onClick={onClose}>
            Cancel
          </Button>
        </Stack>
      </Stack>
    </Dialog>
  )
}

function Invitation({
  passportUuid,
  supportPhone,
  onInvited,
}: AddMemberProps & { onInvited: (member: PassportMember) => void }) {
  const { client, reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const [round, setRound] = useState(0)
  const { field, submit } = useForm({
    name: ({ name }) => (name.trim() === '' ? 'Please enter a name.' : undefined),
    email: ({ email }) => emailError(email),
    role: ({ role }) => (role === '' ? 'Please choose an answer.' : undefined),
  })
  const onSubmit = submit(({ name, email, role }) => {
    const known = MEMBER_ROLES.find((each) => each === role)
    if (known === undefined) return
    run(
      (signal) =>
        client(invitePassportMember, { body: { passportUuid, name, email, role: known }, signal }),
      (member) => {
        // Empties the form.
        setRound(round + 1)
        onInvited(member)
      },
    )
  })
  return (
    <Stack>
      <Stack gap="inside">
        <h2>Add a member</h2>
        <p>We mail an invitation. It can be accepted for 14 days.</p>
      </Stack>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      <form key={round} method="post" noValidate onSubmit={onSubmit}>
        <Stack gap="fields">
          <TextField {...field('name')} label="Name" autoComplete="off" maxLength={100} />
          <TextField {...field('email')} label="Email" type="email" autoComplete="off" />
          <SelectField {...field('role')} label="Role" defaultValue="">
            <option value="">Choose a role</option>
            {MEMBER_ROLES.map((role) => (
              <option key={role} value={role}>
                {ROLE_LABELS[role]}
              </option>
            ))}
          </SelectField>
          <Button type="submit" wide busy={pending} busyLabel="Sending the invitation…">
            Send invitation
          </Button>
        </Stack>
      </form>
    </Stack>
  )
}
