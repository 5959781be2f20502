/** Service tokens, with which programs call the admin API. */

import {
  createServiceToken,
  listServiceTokens,
  revokeServiceToken,
  type ServiceTokenItem,
} from '@portico/contracts/admin/operators'
import {
  PERMISSIONS,
  PERSON_PERMISSIONS,
  type Permission,
} from '@portico/contracts/admin/permissions'
import { formatDate, formatTime } from '@portico/rules/format'
import { useCall } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Checkbox } from '@portico/ui/checkbox'
import { LinkButton } from '@portico/ui/link-button'
import { SelectField } from '@portico/ui/select-field'
import { TextField } from '@portico/ui/text-field'
import { useToast } from '@portico/ui/toast'
import { VisuallyHidden } from '@portico/ui/visually-hidden'
import { Fragment, useState } from 'react'
import { ActDialog } from '../act-dialog/act-dialog.tsx'
import { useEnvironment } from '../environment.ts'
import { List, State } from '../list/list.tsx'
import { useHere } from '../location.ts'
import { OrganizationNames } from '../name-text.tsx'
import { useOperator } from '../operator/operator.tsx'
import { OrganizationField } from '../organization-field.tsx'
import { PageHead } from '../page-head/page-head.tsx'

import styles from './tokens.module.css'

const DAYS = [30, 90, 180, 365] as const

export function Tokens() {
  const here = useHere()
  const { client } = useOperator()
  const { now } = useEnvironment()
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ServiceTokenItem>()
  const [created, setCreated] = useState<string>()
  const [loads, setLoads] = useState(0)
  return (
    <>
      <PageHead
        title="Service tokens"
        facts="Programs use them to call the admin API. To rotate a token, create a second one with the same name, and revoke the first once it is no longer used."
      >
        <Button onClick={() => setCreating(true)}>Create a token</Button>
      </PageHead>
      {created !== undefined && <NewToken token={created} onClose={() => setCreated(undefined)} />}
      <List
        key={`${here.query} ${loads}`}
        label="Service tokens"
        empty="There is no token for your organizations yet."
        load={(signal, after) =>
          client(listServiceTokens, { query: after === undefined ? {} : { after }, signal })
        }
        keyOf={({ tokenUuid }) => tokenUuid}
        columns={[
          { title: 'Name', renderCell: ({ name }: ServiceTokenItem) => <bdi>{name}</bdi> },
          { title: 'State', renderCell: (token) => <TokenState token={token} now={now()} /> },
          {
            title: 'Permissions',
            renderCell: ({ permissions }) => <PermissionNames permissions={permissions} />,
            isProse: true,
          },
          {
            title: 'For',
            renderCell: ({ organizationCodes }) => <OrganizationNames codes={organizationCodes} />,
            isProse: true,
          },
          {
            title: 'Last used',
            renderCell: ({ lastUsedAt }) =>
              lastUsedAt === null ? 'Never' : formatTime(lastUsedAt),
            isTime: true,
          },
          { title: 'Expires', renderCell: ({ expiresAt }) => formatDate(expiresAt), isTime: true },
          {
            title: 'Action',
            renderCell: (token) =>
              token.revokedAt === null &&
              token.expiresAt > now() && (
                <span className={styles.act}>
                  <LinkButton onClick={() => setRevoking(token)}>
                    Revoke
                    <VisuallyHidden> {token.name}</VisuallyHidden>
                  </LinkButton>
                </span>
              ),
          },
        ]}
      />
      {isCreating && (
        <CreateDialog
          onClose={() => setCreating(false)}
          onDone={(token) => {
            setCreating(false)
            setCreated(token)
            setLoads(loads + 1)
          }}
        />
      )}
      {revoking && (
        <RevokeDialog
          token={revoking}
          onClose={() => setRevoking(undefined)}
          onDone={() => {
            setRevoking(undefined)
            setLoads(loads + 1)
          }}
        />
      )}
    </>
  )
}

/** A name breaks at its dot. */
function PermissionNames({ permissions }: Pick<ServiceTokenItem, 'permissions'>) {
  return permissions.map((permission, index) => {
    const [object, action] = permission.split('.')
    return (
      <Fragment key={permission}>
        {index > 0 && ', '}
        {object}.<wbr />
        {action}
      </Fragment>
    )
  })
}

function TokenState({
  token: { revokedAt, expiresAt },
  now,
}: {
  token: ServiceTokenItem
  now: number
}) {
  if (revokedAt !== null) return <State tone="neutral">Revoked</State>
  return expiresAt <= now ? <State tone="neutral">Expired</State> : <State tone="ok">Valid</State>
}

/** Shows the token itself, once. */
function NewToken({ token, onClose }: { token: string; onClose: () => void }) {
  const { copy, reportError } = useEnvironment()
  const showToast = useToast()
  const { run } = useCall(reportError)
  return (
    <div className={styles.created}>
      <Alert tone="warn" title="Copy the token now. It is not shown again.">
        <p>
          <code className={styles.token}>{token}</code>
        </p>
        <p className={styles.actions}>
          <LinkButton
            onClick={() =>
              run(
                () => copy(token),
                (isCopied) =>
                  showToast(
                    isCopied
                      ? { tone: 'ok', text: 'Token copied.' }
                      : {
                          tone: 'warn',
                          text: 'The browser did not allow copying. Select the token and copy it.',
                        },
                  ),
              )
            }
          >
            Copy
          </LinkButton>
          <LinkButton onClick={onClose}>Done</LinkButton>
        </p>
      </Alert>
    </div>
  )
}

function CreateDialog({
  onDone,
  onClose,
}: {
  onDone: (token: string) => void
  onClose: () => void
}) {
  const { operator } = useOperator()
  // The form holds only text fields.
  const [permissions, setPermissions] = useState<readonly Permission[]>([])
  const own = operator.permissions.map(({ permission }) => permission)
  const offered = PERMISSIONS.filter(
    (each) => own.includes(each) && !PERSON_PERMISSIONS.includes(each),
  )
  return (
    <ActDialog
      texts={{
        title: 'Create a service token',
        consequence: (
          <p>
            Anyone who has the token can do what you allow here, without a second factor. Grant only
            the permissions that the program needs.
          </p>
        ),
        button: 'Create',
        busyLabel: 'Creating…',
      }}
      rules={{
        name: ({ name = '' }) =>
          /^[\w.-]{1,60}$/.test(name)
            ? undefined
            : 'Please enter a name of letters, digits and . _ - only.',
        organization: ({ organization }) =>
          organization ? undefined : 'Please choose an organization.',
        days: () => undefined,
        permissions: () =>
          permissions.length > 0 ? undefined : 'Please choose at least one permission.',
      }}
      renderFields={(field) => (
        <>
          <TextField
            {...field('name')}
            label="Name"
            hint="The program that uses it, such as crm-sync."
            autoComplete="off"
            spellCheck={false}
          />
          <OrganizationField {...field('organization')} permission="tokens.write" />
          <SelectField {...field('days')} label="Expires after" defaultValue="90">
            {DAYS.map((days) => (
              <option key={days} value={days}>{`${days} days`}</option>
            ))}
          </SelectField>
          <fieldset className={styles.permissions}>
            <legend>Permissions</legend>
            {offered.map((permission) => (
              <Checkbox
                key={permission}
                label={<code>{permission}</code>}
                checked={permissions.includes(permission)}
                onChange={({ currentTarget: { checked } }) =>
                  setPermissions((before) =>
                    checked
                      ? [...before, permission]
                      : before.filter((each) => each !== permission),
                  )
                }
              />
            ))}
            {field('permissions').error !== undefined && permissions.length === 0 && (
              <p role="alert" className={styles.error}>
                {field('permissions').error}
              </p>
            )}
          </fieldset>
        </>
      )}
      act={(client, { name = '', organization = '', days, reason }, signal) =>
        client(createServiceToken, {
          body: {
            name,
            permissions: [...permissions],
            organizationCodes: [organization],
            days: Number(days),
            reason,
          },
          signal,
        })
      }
      onDone={({ token }) => onDone(token)}
      onClose={onClose}
    />
  )
}

function RevokeDialog({
  token: { tokenUuid, name },
  onDone,
  onClose,
}: {
  token: ServiceTokenItem
  onDone: () => void
  onClose: () => void
}) {
  const showToast = useToast()
  return (
    <ActDialog
      about={tokenUuid}
      texts={{
        title: `Revoke ${name}?`,
        consequence: <p>It stops working at once.</p>,
        button: 'Revoke',
        busyLabel: 'Revoking…',
        isDestructive: true,
      }}
      act={(client, { reason }, signal) =>
        client(revokeServiceToken, { body: { tokenUuid, reason }, signal })
      }
      onDone={() => {
        showToast({ tone: 'ok', text: `${name} is revoked.` })
        onDone()
      }}
      onClose={onClose}
    />
  )
}
