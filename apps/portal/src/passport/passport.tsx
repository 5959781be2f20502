import type { PageData, PageSession } from '@portico/contracts/page-data'
import { lazyComponent } from '@portico/shell/lazy-component'
import { Waiting } from '@portico/shell/waiting'
import { useSyncExternalStore } from 'react'
import { useActingAccount } from '../acting-account/acting-account.tsx'
import { passportRouteOf } from '../passport-routes.ts'
import { Landing } from './landing.tsx'
import styles from './passport.module.css'

const TypeOfInvestor = lazyComponent(async () => {
  const { TypeOfInvestor } = await import('./type-of-investor.tsx')
  return TypeOfInvestor
})
const Resume = lazyComponent(async () => {
  const { Resume } = await import('./resume.tsx')
  return Resume
})
const AddMember = lazyComponent(async () => {
  const { AddMember } = await import('./add-member.tsx')
  return AddMember
})
const Join = lazyComponent(async () => {
  const { Join } = await import('./join.tsx')
  return Join
})

export type PassportProps = { page: PageData; session: PageSession }

/** The pages of the investor passport (§4.10). */
export function Passport(props: PassportProps) {
  const { page } = passportRouteOf(props.page.path) ?? {}
  // The forms have a list of steps beside them.
  return page === 'resume' ? (
    <Pages {...props} />
  ) : (
    <div className={styles.narrow}>
      <Pages {...props} />
    </div>
  )
}

function Pages({ page: { path, query, supportPhone }, session: { email } }: PassportProps) {
  // Another account has another passport, so the page reloads after a switch.
  const { switches: key } = useActingAccount()
  const route = passportRouteOf(path)
  const isHydrated = useIsHydrated()
  if (!isHydrated && route?.page !== 'landing') return <Waiting />
  switch (route?.page) {
    case undefined:
    case 'landing':
      return <Landing key={key} supportPhone={supportPhone} />
    case 'type-of-investor':
      return <TypeOfInvestor key={key} supportPhone={supportPhone} />
    case 'resume':
      return (
        <Resume
          key={key}
          passportUuid={route.passportUuid}
          section={new URLSearchParams(query).get('section') ?? undefined}
          supportPhone={supportPhone}
        />
      )
    case 'add-member':
      return <AddMember key={key} passportUuid={route.passportUuid} supportPhone={supportPhone} />
    case 'join':
      return <Join passportUuid={route.passportUuid} email={email} supportPhone={supportPhone} />
  }
}

const never = () => () => undefined

/** Whether hydration is complete: the server cannot wait for parts that are loaded on demand. */
function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
