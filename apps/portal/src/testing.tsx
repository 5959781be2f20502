import { fakeClient } from '@portico/client/testing'
import type { ReactNode } from 'react'
import { render } from 'vitest-browser-react'
import type { Account, AccountChangeProps } from './change/change.tsx'
import { type Environment, EnvironmentContext } from './environment.ts'
import { serverEnvironment } from './server-environment.ts'

const ACCOUNT: Account = {
  email: 'ada@example.com',
  methods: ['password'],
  supportPhone: '8005550142',
  hasPassword: true,
  hasHostedWallets: false,
}

/** Renders a dialog with a client that responds from a table; `calls` and `results` record what the dialog sent and returned. */
export async function renderDialog(
  dialog: (props: AccountChangeProps) => ReactNode,
  answers: Readonly<Record<string, unknown>>,
  changes: Partial<Environment> = {},
) {
  const { client, calls } = fakeClient(answers)
  const results: string[] = []
  const environment = { ...serverEnvironment, client, ...changes }
  await render(
    <EnvironmentContext value={environment}>
      {dialog({ account: ACCOUNT, onResult: (result) => results.push(result) })}
    </EnvironmentContext>,
  )
  return { calls, results }
}
