import type { GALLERY_SCREENS } from '@portico/contracts/gallery'
import type { ReactNode } from 'react'
import { NoAccess, type Operator } from '../access/operator.tsx'
import { NoStrongMethod } from '../access/step-up.tsx'
import { EnvironmentContext } from '../environment.ts'
import { Start } from '../start/start.tsx'
import { type Answers, anOperator, ConsoleAt, fakeEnvironment } from '../testing.tsx'

/** A page at an address, with the server's answers. */
const at =
  (address: string, view: ReactNode, answers: Answers = {}, operator?: Operator) =>
  () => (
    <ConsoleAt
      address={address}
      environment={fakeEnvironment(answers)}
      {...(operator && { operator })}
    >
      {view}
    </ConsoleAt>
  )

const noAccess = (access: Operator['access']) => () => (
  <EnvironmentContext value={fakeEnvironment()}>
    <NoAccess operator={anOperator('support', { access, roles: [], permissions: [] })}>
      <NoStrongMethod />
    </NoAccess>
  </EnvironmentContext>
)

export const SCREENS: Readonly<Record<keyof (typeof GALLERY_SCREENS)['console'], () => ReactNode>> =
  {
    start: at('/console', <Start />),
    'start-support': at(
      '/console',
      <Start />,
      {},
      anOperator('support', {
        roles: [
          { role: 'support', organizationCode: 'HARBORLINE' },
          { role: 'support', organizationCode: 'NORTHGALE' },
        ],
      }),
    ),
    'no-grant': noAccess('no-grant'),
    'second-factor': noAccess('second-factor-missing'),
    idle: noAccess('idle'),
  }
