/** Operators: the people with roles. */
import {
  grantRole,
  listOperators,
  type OperatorItem,
  revokeRole,
} from '@portico/contracts/admin/operators'
import { OPERATOR_ROLES, type OperatorRole } from '@portico/contracts/admin/permissions'
import { emailError } from '@portico/rules/field-errors'
import { Button } from '@portico/ui/button'
import { EmailText } from '@portico/ui/email-text'
import { LinkButton } from '@portico/ui/link-button'
import { SelectField } from '@portico/ui/select-field'
import { TextField } from '@portico/ui/text-field'
import { useToast } from '@portico/ui/toast'
import { VisuallyHidden } from '@portico/ui/visually-hidden'
import { useState } from 'react'
import { ActDialog } from '../act-dialog/act-dialog.tsx'
import { List } from '../list/list.tsx'
import { useHere } from '../location.ts'
import { NameText, OrganizationNames } from '../name-text.tsx'
import { isPermitted, useOperator } from '../operator/operator.tsx'
import { OrganizationField } from '../organization-field.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { objectPath } from '../routes.ts'
import { ROLE_TEXTS } from '../texts.ts'
import styles from './operators.module.css'

interface Role {
  readonly identityUuid: string
  readonly email: string
  readonly role: OperatorRole
  readonly organizationCode: string
}

export function Operators() {
  const here = useHere()
  const { operator, client } = useOperator()
  const [isGranting, setGranting] = useState(false)
  const [revoking, setRevoking] = useState<Role>()
  const [loads, setLoads] = useState(0)
  const done = () => {
    setGranting(false)
    setRevoking(undefined)
    setLoads(loads + 1)
  }
  return (
    <>
      <PageHead title="Operators" facts="Everyone with a role. Changes take effect immediately.">
        <Button onClick={() => setGranting(true)}>Grant a role</Button>
      </PageHead>
      <List
        key={`${here.query} ${loads}`}
        label="Operators"
        empty="No one has a role for your organizations yet."
        load={(signal, after) =>
          client(listOperators, { query: after === undefined ? {} : { after }, signal })
        }
        keyOf={({ identityUuid }) => identityUuid}
        columns={[
          {
            title: 'Person',
            renderCell: ({ identityUuid, email }: OperatorItem) =>
              isPermitted(operator, 'people.read') ? (
                <a href={objectPath('people', identityUuid)}>
                  <NameText>{email}</NameText>
                </a>
              ) : (
                <NameText>{email}</NameText>
              ),
          },
          {
            title: 'Roles',
            renderCell: ({ roles, ...person }) => (
              <ul className={styles.roles}>
                {roles.map((each) => (
                  <li key={`${each.role} ${each.organizationCode}`}>
                    <span>
                      {ROLE_TEXTS[each.role].title},{' '}
                      <OrganizationNames codes={[each.organizationCode]} all="all organizations" />
                    </span>
                    <LinkButton onClick={() => setRevoking({ ...person, ...each })}>
                      Revoke
                      <VisuallyHidden>
                        {' '}
                        {ROLE_TEXTS[each.role].title} of {person.email}
                      </VisuallyHidden>
                    </LinkButton>
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
      {isGranting && <GrantDialog onDone={done} onClose={() => setGranting(false)} />}
      {revoking && (
        <RevokeDialog role={revoking} onDone={done} onClose={() => setRevoking(undefined)} />
      )}
    </>
  )
}

function GrantDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const showToast = useToast()
  return (
    <ActDialog
      texts={{
        title: 'Grant a role',
        consequence: (
          <p>
            The person must already have an account. To open the console they need a passkey or an
            authenticator app.
          </p>
        ),
        button: 'Grant role',
        busyLabel: 'Granting…',
      }}
      rules={{
        email: ({ email = '' }) => emailError(email),
        role: ({ role }) => (role ? undefined : 'Please choose a role.'),
        organization: ({ organization }) =>
          organization ? undefined : 'Please choose an organization.',
      }}
      renderFields={(field) => (
        <>
          <TextField {...field('email')} type="email" label="Email" autoComplete="off" />
          <SelectField {...field('role')} label="Role" defaultValue="">
            <option value="">Choose a role</option>
            {OPERATOR_ROLES.map((role) => (
              <option key={role} value={role}>
                {`${ROLE_TEXTS[role].title}: ${ROLE_TEXTS[role].purpose}`}
              </option>
            ))}
          </SelectField>
          <OrganizationField {...field('organization')} permission="operators.write" />
        </>
      )}
      act={(client, { email = '', role, organization = '', reason }, signal) =>
        client(grantRole, {
          body: {
            email,
            role: OPERATOR_ROLES.find((each) => each === role) ?? 'auditor',
            organizationCodes: [organization],
            reason,
          },
          signal,
        })
      }
      onDone={({ changed, hasFactor }) => {
        const text = changed ? 'Role granted.' : 'They already have this role.'
        showToast(
          hasFactor
            ? { tone: 'ok', text }
            : { tone: 'warn', text: `${text} They still need a passkey or an authenticator app.` },
        )
        onDone()
      }}
      onClose={onClose}
    />
  )
}

function RevokeDialog({
  role: { identityUuid, email, role, organizationCode },
  onDone,
  onClose,
}: {
  role: Role
  onDone: () => void
  onClose: () => void
}) {
  const showToast = useToast()
  return (
    <ActDialog
      about={`${identityUuid} ${role} ${organizationCode}`}
      texts={{
        title: (
          <>
            Revoke the role {ROLE_TEXTS[role].title} of <EmailText>{email}</EmailText>?
          </>
        ),
        consequence: <p>They lose access at once, even if they are in the middle of something.</p>,
        button: 'Revoke role',
        busyLabel: 'Revoking…',
        isDestructive: true,
      }}
      act={(client, { reason }, signal) =>
        client(revokeRole, { body: { identityUuid, role, organizationCode, reason }, signal })
      }
      onDone={({ changed }) => {
        showToast({
          tone: 'ok',
          text: changed ? 'Role revoked.' : 'They no longer had this role.',
        })
        onDone()
      }}
      onClose={onClose}
    />
  )
}
