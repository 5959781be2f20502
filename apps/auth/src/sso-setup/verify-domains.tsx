import { emailDomain } from '@portico/contracts/email-domain'
import type { Setup } from '@portico/contracts/sso-setup'
import { useForm } from '@portico/shell/form'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Icon } from '@portico/ui/icon'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { VisuallyHidden } from '@portico/ui/visually-hidden'
import { useEffect, useEffectEvent } from 'react'
import { CopyValue } from './copy-value.tsx'
import type { CheckedDomain } from './sso-setup.flow.ts'
import styles from './sso-setup.module.css'
import type { StepProps } from './step-props.ts'

/** How often an unverified domain is looked up while the page is open. */
const RECHECK_MS = 20_000

type Domain = Setup['domains'][number]

export function VerifyDomains(props: StepProps & { onContinue: () => void }) {
  const { setup, job, onRequest, onRecheck, onContinue } = props
  const waiting = setup.domains.filter(({ verifiedAt }) => verifiedAt === null)
  const isVerified = setup.domains.length > waiting.length
  const recheck = useEffectEvent(() => {
    const [next] = waiting
    if (next !== undefined && document.visibilityState === 'visible') onRecheck(next.domain)
  })
  useEffect(() => {
    const timer = setInterval(recheck, RECHECK_MS)
    return () => clearInterval(timer)
  }, [])
  const { field, submit } = useForm({
    domain: ({ domain }) =>
      emailDomain(domain) === undefined ? 'Please enter a domain such as lender.com.' : undefined,
  })
  return (
    <Stack>
      <p>
        People log in with an email address at one of your domains. Add a DNS record to prove that
        you own them.
      </p>
      {setup.domains.map((domain) => (
        <DomainCard key={domain.domain} {...props} domain={domain} />
      ))}
      <form
        // A new form, with an empty field, for each domain.
        key={setup.domains.length}
        noValidate
        method="post"
        onSubmit={submit(({ domain }) => {
          onRequest({ type: 'addDomain', domain })
        })}
      >
        <div className={styles.add}>
          <TextField
            {...field('domain')}
            label={setup.domains.length === 0 ? 'Domain' : 'Another domain'}
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
          />
          <Button
            type="submit"
            kind={setup.domains.length === 0 ? 'primary' : 'secondary'}
            busy={job?.type === 'addDomain'}
            busyLabel="Adding…"
          >
            Add
          </Button>
        </div>
      </form>
      {setup.domains.length > 0 && (
        <div className={styles.actions}>
          <Button kind={isVerified ? 'primary' : 'secondary'} onClick={onContinue}>
            {isVerified ? 'Continue' : 'Verify later'}
          </Button>
        </div>
      )}
    </Stack>
  )
}

function DomainCard({
  domain: { domain, verifiedAt, record },
  check,
  job,
  onRequest,
}: StepProps & { domain: Domain }) {
  const isVerified = verifiedAt !== null
  const isBusy = (type: 'checkDomain' | 'removeDomain') =>
    job?.type === type && job.domain === domain
  const remove = (
    <LinkButton onClick={() => onRequest({ type: 'removeDomain', domain })}>
      Remove<VisuallyHidden> {domain}</VisuallyHidden>
    </LinkButton>
  )
  return (
    <section className={styles.card} aria-label={domain}>
      <div className={styles.head}>
        <h2 dir="ltr">{domain}</h2>
        <p className={styles.state} data-verified={isVerified || undefined}>
          <Icon name={isVerified ? 'ok' : 'clock'} />
          {isVerified ? 'Verified' : 'Waiting for the DNS record'}
        </p>
      </div>
      {!isVerified && record !== null && (
        <>
          <p>Add this TXT record where the DNS of {domain} is managed.</p>
          <ul className={styles.copies}>
            <CopyValue label="Name" value={record.name} />
            <CopyValue label="Value" value={record.value} />
          </ul>
          {check?.domain === domain && <CheckResult check={check} />}
          <div className={styles.links}>
            <Button
              kind="secondary"
              busy={isBusy('checkDomain')}
              busyLabel="Checking…"
              onClick={() => onRequest({ type: 'checkDomain', domain })}
            >
              Check now
            </Button>
            {remove}
          </div>
          <p className={styles.note}>
            We check every 20 seconds while this page is open. New records usually appear within
            minutes, sometimes after hours.
          </p>
        </>
      )}
      {isVerified && <p className={styles.links}>{remove}</p>}
    </section>
  )
}

function CheckResult({ check: { result, found } }: { check: CheckedDomain }) {
  switch (result) {
    case 'verified':
      return null
    case 'missing':
      return (
        <Alert tone="info" title="There is no record yet">
          Check the record name. Some DNS services append the domain to it.
        </Alert>
      )
    case 'different':
      return (
        <Alert tone="warn" title="The record has a different value">
          <p>Found:</p>
          <ul className={styles.found}>
            {found.map((each) => (
              <li key={each} dir="ltr">
                {each}
              </li>
            ))}
          </ul>
        </Alert>
      )
    case 'unavailable':
      return (
        <Alert tone="warn" title="The name servers did not respond">
          Check that the DNS of the domain works, then try again.
        </Alert>
      )
  }
}
