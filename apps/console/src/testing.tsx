/** The console without a server, for component tests and the gallery. */
import type { Client } from '@portico/client/client'
import type { SecurityOverview } from '@portico/contracts/account-security'
import { type OperatorRole, PERMISSIONS } from '@portico/contracts/admin/permissions'
import { textStorage } from '@portico/contracts/text-storage'
import { ROLE_PERMISSIONS } from '@portico/rules/operator-permissions'
import { ToastProvider } from '@portico/ui/toast'
import type { ReactNode } from 'react'
import { type Environment, EnvironmentContext } from './environment.ts'
import { ConsoleFrame } from './frame/frame.tsx'
import { HereContext } from './location.ts'
import { type Operator, OperatorProvider } from './operator/operator.tsx'

const nothing = () => undefined

/** A call of a test, and what it sent. */
export interface RecordedCall {
  readonly name: string
  readonly input: unknown
}

/** Answers by the name of the call: a value, an error to throw, or a function of the query or body. */
export type Answers = Readonly<Record<string, unknown>>

export function fakeEnvironment(
  answers: Answers = {},
  changes: Partial<Environment> = {},
): Environment & { readonly calls: RecordedCall[] } {
  const calls: RecordedCall[] = []
  const client: Client = async (call, { query, body }) => {
    calls.push({ name: call.name, input: query ?? body })
    const given = answers[call.name]
    const answer = typeof given === 'function' ? await given(query ?? body) : given
    if (answer instanceof Error) throw answer
    // A page that stays as it is while it loads.
    if (answer === undefined && call.answer !== undefined) return new Promise(nothing)
    return answer as never // The test provides the table.
  }
  return {
    page: { version: '0.1.0', demonstration: true, supportPhone: '8005550142' },
    client,
    passkeys: { request: async () => undefined, supported: () => true },
    now: () => Date.UTC(2026, 10, 23, 14, 30),
    reload: nothing,
    replace: nothing,
    reportError: nothing,
    copy: async () => true,
    readFile: () => new Promise(nothing),
    download: nothing,
    viewPages: nothing,
    watchLogout: () => nothing,
    network: { isOnline: () => true, watch: () => nothing },
    storage: textStorage(() => {
      throw new Error('Tests keep nothing in the browser')
    }, new Map()),
    loadModule: (load) => load(),
    ...changes,
    calls,
  }
}

const ORGANIZATIONS = [
  { organizationCode: 'FIGURE', name: 'Figure' },
  { organizationCode: 'HARBORLINE', name: 'Harborline Mortgage' },
  { organizationCode: 'NORTHGALE', name: 'Northgale Savings and Home Loan Association' },
]

/** An operator with a role for all organizations. */
export const anOperator = (role: OperatorRole, changes: Partial<Operator> = {}): Operator => ({
  kind: 'person',
  name: `${role}.operator@portico.example`,
  access: 'granted',
  roles: [{ role, organizationCode: '*' }],
  permissions: PERMISSIONS.filter((each) => ROLE_PERMISSIONS[role].includes(each)).map(
    (permission) => ({ permission, scope: { all: true } }),
  ),
  organizations: ORGANIZATIONS,
  approvalActs: [],
  confirmedUntil: null,
  idleAt: null,
  ...changes,
})

/** A page of the console at an address, for an operator. */
export function ConsoleAt({
  address,
  environment,
  operator = anOperator('admin'),
  children,
}: {
  address: string
  environment: Environment
  operator?: Operator
  children: ReactNode
}) {
  const [path = '', query = ''] = address.split('?')
  const here = { path, query }
  return (
    <EnvironmentContext value={environment}>
      <HereContext value={here}>
        <ToastProvider>
          <OperatorProvider
            value={{ operator, client: environment.client, readFile: environment.readFile }}
          >
            <ConsoleFrame here={here}>{children}</ConsoleFrame>
          </OperatorProvider>
        </ToastProvider>
      </HereContext>
    </EnvironmentContext>
  )
}

/** The security settings of an operator with an authenticator. */
export const SECURITY: SecurityOverview = {
  aliases: [
    {
      uuid: 'e',
      type: 'Email',
      value: 'admin.operator@portico.example',
      verified: true,
      auth: true,
    },
  ],
  emailFactorEnabled: false,
  totpEnabled: true,
  textsAvailable: true,
  questions: [],
  recoveryCodesLeft: 0,
  passkeys: [],
  providers: [],
  sessions: [],
  events: [],
  hasPassword: true,
  hasHostedWallets: false,
  confirmed: false,
  confirmWith: {
    change: ['password', 'totp', 'passcode'],
    payment: ['password', 'totp', 'passcode'],
  },
}
