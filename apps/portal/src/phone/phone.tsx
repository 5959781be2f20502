import type { Client } from '@portico/client/client'
import { beginPhone, confirmPhone } from '@portico/contracts/account-security'
import { phoneError } from '@portico/rules/field-errors'
import { formatPhone } from '@portico/rules/phone'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere, useForm } from '@portico/shell/form'
import { useCall } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { useState } from 'react'
import { type AccountChangeProps, ChangeDialog, useConfirmation } from '../change/change.tsx'
import { CodeForm } from '../code-form/code-form.tsx'
import { useEnvironment } from '../environment.ts'

/** A phone number with the alias that its code confirms. */
type SentCode = { phone: string; alias: string }

/** Adds a phone: its number, then the code sent to it. */
export function Phone({ account, onResult }: AccountChangeProps) {
  const { client, pendingConfirmation } = useConfirmation()
  const [sent, setSent] = useState<SentCode>()
  const { supportPhone } = account
  return (
    <ChangeDialog
      account={account}
      confirmation={pendingConfirmation}
      title="Add a phone"
      onClose={() => onResult('closed')}
    >
      {sent === undefined ? (
        <PhoneNumber client={client} supportPhone={supportPhone} onSent={setSent} />
      ) : (
        <PhoneCode
          {...sent}
          client={client}
          supportPhone={supportPhone}
          onConfirmed={() => onResult('changed')}
          onBack={() => setSent(undefined)}
        />
      )}
    </ChangeDialog>
  )
}

function PhoneNumber({
  client,
  supportPhone,
  onSent,
}: {
  client: Client
  supportPhone: string
  onSent: (sent: SentCode) => void
}) {
  const { reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const { field, submit } = useForm({ phone: ({ phone }) => phoneError(phone) })
  const onSubmit = submit(({ phone }) =>
    run(
      (signal) => client(beginPhone, { body: { phone }, signal }),
      ({ alias }) => onSent({ phone, alias }),
    ),
  )
  return (
    <Stack>
      <p>We will text a code to this number, now and when you log in.</p>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      <form method="post" noValidate onSubmit={onSubmit}>
        <Stack gap="fields">
          <TextField
            {...field('phone')}
            ref={focusHere}
            label="Phone number"
            type="tel"
            autoComplete="tel"
            hint="With the country code, if it is not +1"
          />
          <Button type="submit" wide busy={pending} busyLabel="Sending the code…">
            Send code
          </Button>
        </Stack>
      </form>
    </Stack>
  )
}

export function PhoneCode({
  phone,
  alias,
  client,
  supportPhone,
  onConfirmed,
  onBack,
}: SentCode & {
  client: Client
  supportPhone: string
  onConfirmed: () => void
  onBack: () => void
}) {
  const { reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const confirm = (token: string) =>
    run((signal) => client(confirmPhone, { body: { alias, token }, signal }), onConfirmed)
  return (
    <Stack>
      <p>
        We sent a code to <strong dir="ltr">{formatPhone(phone)}</strong>.
      </p>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      <CodeForm label="Code from the text message" focused busy={pending} onSubmit={confirm} />
      <p>
        <LinkButton onClick={onBack}>Change the number or send another code</LinkButton>
      </p>
    </Stack>
  )
}
