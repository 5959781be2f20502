import { MAX_MEMBER_NAME_LENGTH, MAX_ORGANIZATION_MEMBERS } from '@portico/contracts/limits'
import { addressPrefix } from '@portico/rules/bech32'
import { accountNameError, lengthError } from '@portico/rules/field-errors'
import { memberAddressError } from '@portico/rules/organization-members'
import type { Failure } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere, useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { SelectField } from '@portico/ui/select-field'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { useState } from 'react'
import type { Membership } from './create-organization.flow.ts'
import styles from './create-organization.module.css'

export type OrganizationFormProps = {
  /** The name entered previously. */
  name: string
  /** The members entered previously. */
  membership: Membership
  /** The controlling wallet, which is a member. */
  walletAddress: string
  busy: boolean
  failure: Failure | undefined
  /** The error of the name field if the server rejected the organization. */
  rejection: string | undefined
  onSubmit: (named: { name: string; membership: Membership }) => void
  onBack: () => void
  supportPhone: string
}

/** A member's fields. The id is part of their names, so removing one member leaves the others' fields unchanged. */
interface Row {
  readonly id: number
  readonly address: string
  readonly name: string
}

const addressField = (id: number) => `address-${id}`
const nameField = (id: number) => `member-${id}`
const noError = () => undefined

const majority = (members: number) => Math.floor(members / 2) + 1

/** Names an organization (§2.6), optionally with more members and how many of them must agree. */
export function OrganizationForm(props: OrganizationFormProps) {
  const { membership, walletAddress, busy, failure, rejection, supportPhone } = props
  const [rows, setRows] = useState<readonly Row[]>(() =>
    membership.members.map((member, id) => ({ id, ...member })),
  )
  const [nextId, setNextId] = useState(rows.length)
  const prefix = addressPrefix(walletAddress)
  const { field, submit } = useForm<string>({
    name: ({ name = '' }) => accountNameError(name),
    threshold: noError,
    ...Object.fromEntries(
      rows.flatMap(({ id }, index) => [
        [
          addressField(id),
          (values: Readonly<Record<string, string>>) =>
            memberAddressError(values[addressField(id)] ?? '', {
              prefix,
              others: [
                walletAddress,
                ...rows.slice(0, index).map((other) => values[addressField(other.id)] ?? ''),
              ],
            }),
        ],
        [
          nameField(id),
          (values: Readonly<Record<string, string>>) =>
            lengthError(values[nameField(id)] ?? '', MAX_MEMBER_NAME_LENGTH),
        ],
      ]),
    ),
  })
  const { error, ...input } = field('name')

  function add(): void {
    setRows([...rows, { id: nextId, address: '', name: '' }])
    setNextId(nextId + 1)
  }

  function namedBy(values: Readonly<Record<string, string>>) {
    const members = rows.map(({ id }) => ({
      address: (values[addressField(id)] ?? '').trim().toLowerCase(),
      name: (values[nameField(id)] ?? '').trim(),
    }))
    const threshold = members.length === 0 ? 1 : Number(values['threshold'])
    return { name: (values['name'] ?? '').trim(), membership: { members, threshold } }
  }

  return (
    <form method="post" noValidate onSubmit={submit((values) => props.onSubmit(namedBy(values)))}>
      <Stack>
        <FailureAlert failure={failure} supportPhone={supportPhone} />
        <TextField
          {...input}
          ref={focusHere}
          label="Account Name"
          hint={
            rows.length === 0
              ? 'The name is stored on the network, where anyone can read it.'
              : 'The name and the members are stored on the network, where anyone can read them.'
          }
          error={error ?? rejection}
          defaultValue={props.name}
          autoComplete="off"
        />
        {rows.length === 0 ? (
          <LinkButton onClick={add}>Add more members</LinkButton>
        ) : (
          <>
            {rows.map((row, index) => (
              <MemberFields
                key={row.id}
                row={row}
                number={index + 2}
                field={field}
                isNew={row.id >= membership.members.length}
                onRemove={() => setRows(rows.filter(({ id }) => id !== row.id))}
              />
            ))}
            {rows.length + 1 < MAX_ORGANIZATION_MEMBERS && (
              <LinkButton onClick={add}>Add another member</LinkButton>
            )}
            <SelectField
              name="threshold"
              label="How many must agree?"
              hint="Your wallet is the first member."
              // More than half by default: one member alone must not decide unnoticed. The key follows added members.
              key={rows.length}
              defaultValue={`${rows.length === membership.members.length ? membership.threshold : majority(rows.length + 1)}`}
            >
              {Array.from({ length: rows.length + 1 }, (_, index) => (
                <option key={index} value={index + 1}>
                  {index + 1} of {rows.length + 1} members
                </option>
              ))}
            </SelectField>
          </>
        )}
        <div className={styles.buttons}>
          <Button kind="secondary" onClick={props.onBack}>
            Back
          </Button>
          <Button type="submit" busy={busy} busyLabel="Creating…">
            Submit
          </Button>
        </div>
      </Stack>
    </form>
  )
}

function MemberFields({
  row,
  number,
  field,
  isNew,
  onRemove,
}: {
  row: Row
  number: number
  field: ReturnType<typeof useForm<string>>['field']
  isNew: boolean
  onRemove: () => void
}) {
  const { error: addressError, ...address } = field(addressField(row.id))
  const { error: nameError, ...name } = field(nameField(row.id))
  return (
    <fieldset className={styles.member}>
      <legend>Member {number}</legend>
      <Stack gap="inside">
        <TextField
          {...address}
          ref={isNew ? focusHere : undefined}
          label="Wallet address"
          error={addressError}
          defaultValue={row.address}
          maxLength={90}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
        />
        <TextField
          {...name}
          label="Name (optional)"
          error={nameError}
          defaultValue={row.name}
          autoComplete="off"
        />
        <LinkButton onClick={onRemove}>Remove member {number}</LinkButton>
      </Stack>
    </fieldset>
  )
}
