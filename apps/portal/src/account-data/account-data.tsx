import {
  beginEmailChange,
  confirmEmailChange,
  deleteOwnAccount,
  exportAccountData,
} from '@portico/contracts/account-security'
import { emailAddress } from '@portico/contracts/email-address'
import { emailError, secondFactorCodeError } from '@portico/rules/field-errors'
import { focusHere } from '@portico/shell/form'
import { Checkbox } from '@portico/ui/checkbox'
import { CodeField } from '@portico/ui/code-field'
import { EmailText } from '@portico/ui/email-text'
import { TextField } from '@portico/ui/text-field'
import { type RefObject, useRef, useState } from 'react'
import { type AccountChangeProps, Change, type FieldOf } from '../change/change.tsx'
import { useEnvironment } from '../environment.ts'

/** Changes the email address: the new address, then the codes sent to both addresses. */
export function EmailAddress({ account, onResult }: AccountChangeProps) {
  const [pendingChange, setPendingChange] = useState<{ changeUuid: string; email: string }>()
  if (pendingChange === undefined) {
    return (
      <Change
        key="address"
        account={account}
        title="Change your email address"
        text={
          <>
            You log in with{' '}
            <strong>
              <EmailText>{account.email}</EmailText>
            </strong>
            . We will send a code there and one to your new address.
          </>
        }
        button={{ label: 'Send codes', busyLabel: 'Sending codes…' }}
        rules={{ email: ({ email = '' }) => emailError(email) }}
        fields={newAddressField}
        change={async (client, { email = '' }) => {
          const { changeUuid } = await client(beginEmailChange, { body: { email } })
          setPendingChange({ changeUuid, email: emailAddress(email) ?? email })
          return undefined
        }}
        // Once the codes are sent, the next dialog replaces this one.
        onResult={(result) => result === 'closed' && onResult('closed')}
      />
    )
  }
  const { changeUuid, email } = pendingChange
  return (
    <Change
      key="codes"
      account={account}
      title="Enter both codes"
      text="Each code is valid for 10 minutes. The change signs you out on all other devices."
      button={{ label: 'Change address', busyLabel: 'Changing…' }}
      rules={{
        currentToken: ({ currentToken = '' }) => secondFactorCodeError(currentToken),
        newToken: ({ newToken = '' }) => secondFactorCodeError(newToken),
      }}
      fields={(field) => codeFields(field, [account.email, email])}
      change={async (client, { currentToken = '', newToken = '' }) => {
        await client(confirmEmailChange, { body: { changeUuid, currentToken, newToken } })
        return undefined
      }}
      onResult={onResult}
    />
  )
}

export function ExportData({ account, onResult }: AccountChangeProps) {
  const { download } = useEnvironment()
  return (
    <Change
      account={account}
      onResult={onResult}
      title="Download your data"
      text="The file lists what we store about your account: how you log in, your devices, your wallets, your investor passports and your recent activity. It contains no passwords, codes or keys. We will email you to confirm the download."
      button={{ label: 'Download', busyLabel: 'Collecting your data…' }}
      change={async (client) => {
        const data = await client(exportAccountData, {})
        download('account-data.json', `${JSON.stringify(data, null, 2)}\n`)
        return undefined
      }}
    />
  )
}

/** Deletes the account; typing its email address confirms the deletion. */
export function DeleteAccount({
  account,
  company,
  onResult,
}: AccountChangeProps & { company: string }) {
  const accepted = useRef<HTMLInputElement>(null)
  const { email, hasHostedWallets } = account
  return (
    <Change
      account={account}
      onResult={onResult}
      title="Delete your account"
      text={`We will permanently delete your ${company} login with its sessions, passkeys and devices. We keep only what the law requires: the record of security events, without your name or address. Your lender keeps your loan applications and agreements for as long as the law requires. Ask your lender about those.`}
      button={{ label: 'Delete my account', busyLabel: 'Deleting…', kind: 'danger' }}
      rules={{
        // In the order of the fields: the first error gets the focus.
        ...(hasHostedWallets
          ? {
              wallets: () =>
                accepted.current?.checked === true
                  ? undefined
                  : 'Please confirm that we may delete the keys of your hosted wallets too.',
            }
          : {}),
        email: ({ email: typed = '' }) =>
          emailAddress(typed) === email
            ? undefined
            : 'Please enter the email address of this account.',
      }}
      fields={(field) => deletionFields(field, email, hasHostedWallets ? accepted : undefined)}
      change={async (client) => {
        await client(deleteOwnAccount, {
          body: { email, ...(hasHostedWallets ? { deleteHostedWallets: true } : {}) },
        })
        return undefined
      }}
    />
  )
}

const newAddressField = (field: FieldOf) => (
  <TextField
    {...field('email')}
    ref={focusHere}
    type="email"
    label="New email address"
    autoComplete="email"
  />
)

const codeFields = (field: FieldOf, [current, next]: readonly [string, string]) => (
  <>
    <CodeField {...field('currentToken')} ref={focusHere} label={`Code sent to ${current}`} />
    <CodeField {...field('newToken')} label={`Code sent to ${next}`} />
  </>
)

/** `accepted` is the checkbox that agrees to deleting wallet keys, if the account has any. */
const deletionFields = (
  field: FieldOf,
  email: string,
  accepted: RefObject<HTMLInputElement | null> | undefined,
) => (
  <>
    {accepted && (
      <Checkbox
        {...field('wallets')}
        ref={accepted}
        label="Delete the keys of my hosted wallets too. I have moved everything out of these wallets, because no one can sign with them afterwards."
      />
    )}
    <TextField
      {...field('email')}
      ref={focusHere}
      type="email"
      label="Your email address"
      hint={`Enter ${email} to confirm`}
      autoComplete="off"
    />
  </>
)
