import { formatTime } from '@portico/rules/format'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import { CopyValue } from './copy-value.tsx'
import { DIRECTORY_INSTRUCTIONS } from './setup-texts.ts'
import styles from './sso-setup.module.css'
import type { StepProps } from './step-props.ts'

/** Creates the tokens that let the organization's directory send its people (SCIM). */
export function ConnectDirectory({ setup, job, token, onRequest }: StepProps) {
  const { directoryTokens: tokens, product, service } = setup
  const isFirst = tokens.length === 0
  return (
    <Stack>
      <p>
        This step is optional. Your directory sends people and groups by SCIM. People who are
        removed from it are logged out here at once and cannot log in again.
      </p>
      <ol className={styles.instructions}>
        {DIRECTORY_INSTRUCTIONS[product ?? 'other'].map((instruction) => (
          <li key={instruction}>{instruction}</li>
        ))}
      </ol>
      <ul className={styles.copies}>
        <CopyValue label="Base URL" value={service.directoryUrl} />
        {token !== undefined && <CopyValue label="Token" value={token} />}
      </ul>
      {token !== undefined && (
        <Alert tone="warn" title="Copy the token now">
          It is not shown again.
        </Alert>
      )}
      {!isFirst && (
        <section className={styles.card} aria-labelledby="tokens">
          <h2 id="tokens">Tokens</h2>
          <ul>
            {tokens.map(({ id, createdAt, lastUsedAt }) => (
              <li key={id}>
                Created {formatTime(createdAt)},{' '}
                {lastUsedAt === null ? 'not used yet' : `last used ${formatTime(lastUsedAt)}`}{' '}
                <LinkButton
                  aria-label={`Revoke the token created ${formatTime(createdAt)}`}
                  onClick={() => onRequest({ type: 'revokeToken', id })}
                >
                  Revoke
                </LinkButton>
              </li>
            ))}
          </ul>
          <p className={styles.note}>
            {tokens.length === 1
              ? 'To replace the token, create a new one and enter it in your directory. Both work in the meantime.'
              : 'Two tokens are active. A new one revokes the older one.'}
          </p>
        </section>
      )}
      <div className={styles.actions}>
        <Button
          kind={isFirst ? 'primary' : 'secondary'}
          busy={job?.type === 'createToken'}
          busyLabel="Creating…"
          onClick={() => onRequest({ type: 'createToken' })}
        >
          {isFirst ? 'Create a token' : 'Create a new token'}
        </Button>
      </div>
    </Stack>
  )
}
