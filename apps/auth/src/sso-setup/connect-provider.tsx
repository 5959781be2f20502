import { CERTIFICATE_WARNING_MS, MAX_METADATA_BYTES } from '@portico/contracts/limits'
import type { Setup } from '@portico/contracts/sso-setup'
import { formatDate } from '@portico/rules/format'
import { useForm } from '@portico/shell/form'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { PasswordField } from '@portico/ui/password-field'
import { SelectField } from '@portico/ui/select-field'
import { Stack } from '@portico/ui/stack'
import { TextArea } from '@portico/ui/text-area'
import { TextField } from '@portico/ui/text-field'
import { useState } from 'react'
import { CopyValue } from './copy-value.tsx'
import { INSTRUCTIONS, ISSUER_HINTS, PRODUCTS, SCOPES } from './setup-texts.ts'
import type { SamlSource } from './sso-setup.flow.ts'
import styles from './sso-setup.module.css'
import type { StepProps } from './step-props.ts'

/** The instructions for the provider, the values to copy to it, and the form for its details. */
export function ConnectProvider(props: StepProps) {
  const { setup } = props
  const product = setup.product ?? 'other'
  const isSaml = setup.protocol === 'saml'
  const { callbackUrl, entityId, logoutUrl } = setup.service
  return (
    <Stack gap="sections">
      <Stack>
        <h2>{product === 'other' ? 'At your provider' : `In ${PRODUCTS[product].name}`}</h2>
        <ol className={styles.instructions}>
          {INSTRUCTIONS[product][isSaml ? 'saml' : 'oidc'].map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
        <ul className={styles.copies}>
          {isSaml ? (
            <>
              <CopyValue label="Reply address (ACS URL)" value={callbackUrl} />
              <CopyValue label="Entity ID (audience)" value={entityId} />
              <CopyValue label="Our metadata" value={entityId} />
            </>
          ) : (
            <>
              <CopyValue label="Redirect address" value={callbackUrl} />
              <CopyValue label="Sign-out address" value={logoutUrl} />
            </>
          )}
        </ul>
      </Stack>
      <Stack>
        <h2>Details from your provider</h2>
        {/* A new key per version, so that the fields show what another administrator saved. */}
        {isSaml ? (
          <SamlForm key={setup.version} {...props} />
        ) : (
          <OpenIdForm key={setup.version} {...props} />
        )}
      </Stack>
    </Stack>
  )
}

const required = (name: string) => (values: Readonly<Record<string, string>>) =>
  values[name]?.trim() === '' ? 'Please fill in this field.' : undefined

const httpsAddress = (name: string) => (values: Readonly<Record<string, string>>) =>
  /^https?:$/.test(URL.parse(values[name]?.trim() ?? '')?.protocol ?? '')
    ? undefined
    : 'Please enter an address that begins with https://.'

const optional = () => undefined

const NAME_HINT = 'On the button: Log in with …'

function OpenIdForm({ setup, job, onRequest }: StepProps) {
  const { oidc } = setup
  const product = setup.product ?? 'other'
  const { field, submit } = useForm<'name' | 'issuer' | 'clientId' | 'clientSecret' | 'scope'>({
    name: required('name'),
    issuer: httpsAddress('issuer'),
    clientId: required('clientId'),
    clientSecret: optional,
    scope: required('scope'),
  })
  return (
    <form
      noValidate
      method="post"
      onSubmit={submit(({ clientSecret, ...values }) =>
        onRequest({ type: 'saveOpenId', ...values, clientSecret: clientSecret || undefined }),
      )}
    >
      <Stack gap="fields">
        <TextField
          {...field('name')}
          label="Name for your people"
          hint={NAME_HINT}
          defaultValue={setup.name || PRODUCTS[product].suggestion}
          maxLength={40}
        />
        <TextField
          {...field('issuer')}
          label="Issuer"
          hint={ISSUER_HINTS[product]}
          defaultValue={oidc?.issuer ?? (product === 'google' ? ISSUER_HINTS.google : '')}
          inputMode="url"
          spellCheck={false}
          autoComplete="off"
          dir="ltr"
        />
        <TextField
          {...field('clientId')}
          label="Client ID"
          defaultValue={oidc?.clientId ?? ''}
          spellCheck={false}
          autoComplete="off"
          dir="ltr"
        />
        <PasswordField
          {...field('clientSecret')}
          label="Client secret"
          autoComplete="new-password"
          hint={
            oidc?.hasSecret
              ? 'A secret is saved and is never shown. Enter one only to replace it, or if the issuer or client ID changes.'
              : 'Stored encrypted and never shown again.'
          }
        />
        <TextField
          {...field('scope')}
          label="Scopes"
          hint="Some providers send groups only with a scope such as groups."
          defaultValue={oidc?.scope ?? SCOPES[product]}
          spellCheck={false}
          dir="ltr"
        />
        <Save busy={job?.type === 'saveOpenId'} />
      </Stack>
    </form>
  )
}

function Save({ busy }: { busy: boolean }) {
  return (
    <div className={styles.actions}>
      <Button type="submit" busy={busy} busyLabel="Saving…">
        Save and continue
      </Button>
    </div>
  )
}

type Source = 'url' | 'file' | 'values'

const SOURCES: Readonly<Record<Source, string>> = {
  url: 'The URL of its metadata',
  file: 'A metadata file',
  values: 'Individual values',
}

function SamlForm({ setup, job, onRequest, now }: StepProps) {
  const { saml } = setup
  const product = setup.product ?? 'other'
  const [source, setSource] = useState<Source>(
    saml !== null ? 'values' : product === 'google' ? 'file' : 'url',
  )
  const [file, setFile] = useState<{ name: string; text: string }>()
  const [isTooLarge, setTooLarge] = useState(false)
  const inUse = (
    at: Source,
    rule: (values: Readonly<Record<string, string>>) => string | undefined,
  ) => (source === at ? rule : optional)
  const { field, submit } = useForm<
    'name' | 'metadataUrl' | 'metadata' | 'issuer' | 'signInUrl' | 'certificate'
  >({
    name: required('name'),
    metadataUrl: inUse('url', httpsAddress('metadataUrl')),
    metadata: inUse('file', (values) =>
      file === undefined ? required('metadata')(values) : undefined,
    ),
    issuer: inUse('values', required('issuer')),
    signInUrl: inUse('values', httpsAddress('signInUrl')),
    certificate: inUse('values', required('certificate')),
  })
  const sourceOf = (values: Readonly<Record<string, string>>): SamlSource => {
    const {
      metadataUrl = '',
      metadata = '',
      issuer = '',
      signInUrl = '',
      certificate = '',
    } = values
    switch (source) {
      case 'url':
        return { metadataUrl: metadataUrl.trim() }
      case 'file':
        return { metadata: file?.text ?? metadata }
      case 'values':
        return { issuer, signInUrl, certificate }
    }
  }
  return (
    <form
      noValidate
      method="post"
      onSubmit={submit((values) =>
        onRequest({ type: 'saveSaml', name: values.name, provider: sourceOf(values) }),
      )}
    >
      <Stack gap="fields">
        {saml !== null && <CertificateNotes certificates={saml.certificates} now={now} />}
        {saml !== null && saml.unreadable.length > 0 && (
          <Alert tone="warn" title="A certificate could not be read">
            We use the others, but not {saml.unreadable.join(', ')}. Copy it from the provider
            again.
          </Alert>
        )}
        <TextField
          {...field('name')}
          label="Name for your people"
          hint={NAME_HINT}
          defaultValue={setup.name || PRODUCTS[product].suggestion}
          maxLength={40}
        />
        <SelectField
          label="You have"
          value={source}
          onChange={({ currentTarget: { value } }) =>
            setSource(value === 'file' || value === 'values' ? value : 'url')
          }
        >
          {Object.entries(SOURCES).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
        {source === 'url' && (
          <TextField
            {...field('metadataUrl')}
            label="Address of the metadata"
            hint="We read it once, when you save."
            inputMode="url"
            spellCheck={false}
            dir="ltr"
          />
        )}
        {source === 'file' && (
          <>
            <label className={styles.upload}>
              <span>Metadata file (XML)</span>
              <input
                type="file"
                accept=".xml,text/xml,application/xml,application/samlmetadata+xml"
                onChange={({ currentTarget: { files } }) => {
                  const chosen = files?.[0]
                  if (chosen === undefined) return
                  setTooLarge(chosen.size > MAX_METADATA_BYTES)
                  setFile(undefined)
                  if (chosen.size > MAX_METADATA_BYTES) return
                  void chosen.text().then((text) => setFile({ name: chosen.name, text }))
                }}
              />
            </label>
            {isTooLarge && (
              <Alert tone="danger">
                This file is too large for metadata. Choose the XML file of your provider.
              </Alert>
            )}
            {file === undefined && (
              <TextArea
                {...field('metadata')}
                label="Or paste its content"
                spellCheck={false}
                dir="ltr"
                rows={6}
              />
            )}
          </>
        )}
        {source === 'values' && (
          <>
            <TextField
              {...field('issuer')}
              label="Entity ID of the provider"
              defaultValue={saml?.issuer ?? ''}
              spellCheck={false}
              dir="ltr"
            />
            <TextField
              {...field('signInUrl')}
              label="Sign-in address (SSO URL)"
              hint="For the HTTP-Redirect binding"
              defaultValue={saml?.signInUrl ?? ''}
              inputMode="url"
              spellCheck={false}
              dir="ltr"
            />
            <TextArea
              {...field('certificate')}
              label="Signing certificate"
              hint="With or without its BEGIN and END lines. While you rotate certificates, paste both."
              defaultValue={saml?.certificates.map(({ pem }) => pem).join('\n') ?? ''}
              spellCheck={false}
              dir="ltr"
              rows={6}
            />
          </>
        )}
        {saml !== null && source !== 'values' && (
          <Alert tone="info">This replaces the saved values.</Alert>
        )}
        <Save busy={job?.type === 'saveSaml'} />
      </Stack>
    </form>
  )
}

/** When the signing certificates expire. During a change there are two, of which the later one counts. */
function CertificateNotes({
  certificates,
  now,
}: {
  certificates: NonNullable<Setup['saml']>['certificates']
  now: number
}) {
  const last = Math.max(...certificates.map(({ expiresAt }) => expiresAt))
  const date = formatDate(last, { length: 'long' })
  if (last <= now) {
    return (
      <Alert tone="danger" title={`The certificate expired on ${date}`}>
        No one can log in with it. Create a new one at the provider and save it here.
      </Alert>
    )
  }
  return last - now < CERTIFICATE_WARNING_MS ? (
    <Alert tone="warn" title={`The certificate expires on ${date}`}>
      Create a new one at the provider before that, and save both here while you change.
    </Alert>
  ) : (
    <p>The certificate is valid until {date}.</p>
  )
}
