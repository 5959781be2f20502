/** Names, each in its own direction wherever it appears. */
import { EmailText } from '@portico/ui/email-text'
import { Fragment } from 'react'
import { organizationName, useOperator } from './operator/operator.tsx'

/** A person, an operator or a service token: an address breaks at @ and dots. */
export function NameText({ children }: { children: string }) {
  return children.includes('@') ? <EmailText>{children}</EmailText> : <bdi>{children}</bdi>
}

/** Organizations by their codes; `*` stands for all of them. */
export function OrganizationNames({
  codes,
  all = 'All organizations',
}: {
  codes: readonly string[]
  all?: string
}) {
  const { operator } = useOperator()
  if (codes.includes('*')) return all
  return codes.map((code, index) => (
    <Fragment key={code}>
      {index > 0 && ', '}
      <bdi>{organizationName(operator, code)}</bdi>
    </Fragment>
  ))
}
