/** People: the search, and one person. */

import { findPeople, type PersonItem } from '@portico/contracts/admin/people'
import { formatDate } from '@portico/rules/format'
import { Chips, List, State } from '../list/list.tsx'
import { addressWith, parameter, useHere } from '../location.ts'
import { NameText, OrganizationNames } from '../name-text.tsx'
import { organizationName, useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { idIn, objectPath } from '../routes.ts'

import styles from './people.module.css'
import { PersonPage } from './person.tsx'

/** `rest` is the person's ID, or nothing for the search. */
export function People({ rest }: { rest: string }) {
  return rest === '' ? <Search /> : <PersonPage key={rest} identityUuid={idIn(rest)} />
}

function Search() {
  const here = useHere()
  const { operator, client } = useOperator()
  const search = parameter(here, 'q')
  const organizationCode = parameter(here, 'organization')
  return (
    <>
      <PageHead
        title="People"
        facts="Find people by the beginning of a part of their email address or name, at least three characters, or by complete phone number, ID, or address of a wallet or account."
      />
      <div className={styles.filters}>
        <Chips
          chips={[
            ...(search === undefined
              ? []
              : [{ label: search, removeHref: addressWith(here, { q: undefined }) }]),
            ...(organizationCode === undefined
              ? []
              : [
                  {
                    label: organizationName(operator, organizationCode),
                    removeHref: addressWith(here, { organization: undefined }),
                  },
                ]),
          ]}
        />
      </div>
      <List
        key={here.query}
        label="People"
        empty="People of your organizations appear here when they register."
        filters={['q', 'organization']}
        load={(signal, after) =>
          client(findPeople, {
            query: {
              ...(search !== undefined && { search, match: 'part' }),
              ...(organizationCode !== undefined && { organizationCode }),
              ...(after !== undefined && { after }),
            },
            signal,
          })
        }
        keyOf={({ identityUuid }) => identityUuid}
        columns={[
          {
            title: 'Person',
            renderCell: ({ identityUuid, email }: PersonItem) => (
              <a href={objectPath('people', identityUuid)}>
                <NameText>{email}</NameText>
              </a>
            ),
          },
          { title: 'Name', renderCell: ({ name }) => name && <bdi>{name}</bdi> },
          {
            title: 'Organization',
            renderCell: ({ organizationCode: code }) => <OrganizationNames codes={[code]} />,
          },
          {
            title: 'Type',
            renderCell: ({ profileType }) =>
              profileType === 'AGENT' ? 'Broker agent' : 'Borrower',
            isDetail: true,
          },
          {
            title: 'State',
            renderCell: ({ lockedAt }) =>
              lockedAt === null ? (
                <State tone="neutral">Active</State>
              ) : (
                <State tone="danger">Locked</State>
              ),
          },
          {
            title: 'Registered',
            renderCell: ({ createdAt }) => formatDate(createdAt),
            isTime: true,
          },
        ]}
      />
    </>
  )
}
