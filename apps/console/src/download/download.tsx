import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import type { ReactNode } from 'react'
import { useEnvironment } from '../environment.ts'
import { useOperator } from '../operator/operator.tsx'
import styles from './download.module.css'

/** Saves a file of the admin API, after a confirmation if the server requires one. */
export function Download({
  name,
  path,
  query,
  children,
}: {
  name: string
  path: string
  query: Readonly<Record<string, string>>
  children: ReactNode
}) {
  const { page, download, reportError } = useEnvironment()
  const { readFile } = useOperator()
  const { pending, failure, run } = useCall(reportError)
  return (
    <div className={styles.download}>
      <Button
        kind="secondary"
        busy={pending}
        busyLabel="Downloading…"
        onClick={() =>
          run(
            (signal) => readFile(path, query, signal),
            (bytes) => download(name, bytes),
          )
        }
      >
        {children}
      </Button>
      <FailureAlert failure={failure} supportPhone={page.supportPhone} />
    </div>
  )
}
