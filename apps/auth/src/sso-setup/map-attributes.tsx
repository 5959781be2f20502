import { useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import styles from './sso-setup.module.css'
import type { StepProps } from './step-props.ts'

const optional = () => undefined

const FIELDS = [
  { name: 'email', label: 'Email address', oidc: 'email', saml: 'email, mail or emailaddress' },
  { name: 'firstName', label: 'First name', oidc: 'given_name', saml: 'firstName or givenName' },
  { name: 'lastName', label: 'Last name', oidc: 'family_name', saml: 'lastName or sn' },
  { name: 'groups', label: 'Groups', oidc: 'groups', saml: 'groups or memberOf' },
] as const

export function MapAttributes({ setup, job, onRequest }: StepProps) {
  const word = setup.protocol === 'saml' ? 'attributes' : 'claims'
  const { field, submit } = useForm({
    email: optional,
    firstName: optional,
    lastName: optional,
    groups: optional,
    requiredGroup: optional,
  })
  return (
    <form
      key={setup.version}
      noValidate
      method="post"
      onSubmit={submit((values) => onRequest({ type: 'saveAttributes', ...values }))}
    >
      <Stack gap="fields">
        <p>
          Enter a name only if your provider uses a different one. The test shows which {word} it
          sends.
        </p>
        {FIELDS.map(({ name, label, ...usual }) => (
          <TextField
            key={name}
            {...field(name)}
            label={label}
            hint={`If empty: ${usual[setup.protocol ?? 'oidc']}`}
            defaultValue={setup.attributes[name] ?? ''}
            spellCheck={false}
            autoCapitalize="none"
            dir="ltr"
            maxLength={256}
          />
        ))}
        <TextField
          {...field('requiredGroup')}
          label="Required group"
          hint="Only people in this group can log in. Leave it empty to let everyone in."
          defaultValue={setup.requiredGroup}
          spellCheck={false}
          maxLength={256}
        />
        <div className={styles.actions}>
          <Button type="submit" busy={job?.type === 'saveAttributes'} busyLabel="Saving…">
            Save and continue
          </Button>
        </div>
      </Stack>
    </form>
  )
}
