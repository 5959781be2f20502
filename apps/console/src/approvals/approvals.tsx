/** Acts that need a second operator: waiting and earlier requests, and the decision about one. */

import { type ActRequestItem, listActRequests } from '@portico/contracts/admin/act-requests'
import { ACT_TITLES } from '@portico/contracts/admin/second-operator'
import { formatTime } from '@portico/rules/format'
import { List, State } from '../list/list.tsx'
import { addressWith, parameter, useHere } from '../location.ts'
import { NameText, OrganizationNames } from '../name-text.tsx'
import { useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { idIn, objectPath } from '../routes.ts'

import { STATE_TEXTS } from './act-texts.ts'
import styles from './approvals.module.css'
import { RequestPage } from './request.tsx'

/** `rest` is the request's ID, or nothing for the list. */
export function Approvals({ rest }: { rest: string }) {
  return rest === '' ? <Requests /> : <RequestPage key={rest} requestUuid={idIn(rest)} />
}

function Requests() {
  const here = useHere()
  const { client } = useOperator()
  const isAll = parameter(here, 'show') === 'all'
  return (
    <>
      <PageHead
        title="Approvals"
        facts="Actions that another operator has to approve. A request expires after a day."
      />
      <nav className={styles.views} aria-label="Requests">
        <a href={addressWith(here, { show: undefined })} aria-current={isAll ? undefined : 'page'}>
          Waiting
        </a>
        <a href={addressWith(here, { show: 'all' })} aria-current={isAll ? 'page' : undefined}>
          All
        </a>
      </nav>
      <List
        key={here.query}
        label="Requests"
        empty={isAll ? 'There were no requests in the last month.' : 'Nothing is waiting.'}
        load={(signal, after) =>
          client(listActRequests, {
            query: {
              ...(!isAll && { state: 'waiting' as const }),
              ...(after !== undefined && { after }),
            },
            signal,
          })
        }
        keyOf={({ requestUuid }) => requestUuid}
        columns={[
          {
            title: 'Action',
            renderCell: ({ requestUuid, act }: ActRequestItem) => (
              <a href={objectPath('approvals', requestUuid)}>{ACT_TITLES[act]}</a>
            ),
          },
          { title: 'About', renderCell: ({ subject }) => <NameText>{subject}</NameText> },
          {
            title: 'Organization',
            renderCell: ({ organizationCodes }) => <OrganizationNames codes={organizationCodes} />,
            isDetail: true,
          },
          {
            title: 'Requested by',
            renderCell: ({ isOwn, requestedBy }) =>
              isOwn ? 'You' : <NameText>{requestedBy}</NameText>,
            isTitled: true,
          },
          ...(isAll
            ? [
                {
                  title: 'State',
                  renderCell: ({ state }: ActRequestItem) => (
                    <State tone={STATE_TEXTS[state].tone}>{STATE_TEXTS[state].text}</State>
                  ),
                },
                {
                  title: 'Requested',
                  renderCell: ({ createdAt }: ActRequestItem) => formatTime(createdAt),
                  isTime: true as const,
                },
              ]
            : [
                {
                  title: 'Waits until',
                  renderCell: ({ expiresAt }: ActRequestItem) => formatTime(expiresAt),
                  isTime: true as const,
                },
              ]),
        ]}
      />
    </>
  )
}
